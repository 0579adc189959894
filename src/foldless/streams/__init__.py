"""Streams: rows that are read once, batch by batch, in constant memory."""
