"""The pages in the browser; NiceGUI (extra ``web``) is imported here alone."""
