"""The other side of the seam: everything slow, parallel, cached, journaled or shown."""
