"""What people look at: text, tables and pictures."""
