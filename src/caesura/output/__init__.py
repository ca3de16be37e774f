"""What people and programs read: tables, pictures, gates, the report."""
