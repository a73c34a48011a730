"""What the page of analyses shows, and how it is worked out."""
