/** The page for addresses that lead nowhere. */

import "./shell.js";
