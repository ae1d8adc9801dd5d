/** The page for what is not there. */

import "./shell.js";
