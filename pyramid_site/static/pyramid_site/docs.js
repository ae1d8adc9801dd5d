"use strict";

SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.schema,
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null, // the schema is shown to nobody else
});
