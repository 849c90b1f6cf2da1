"""Frames → named results. Opens no file, prints nothing; drawing and writing are elsewhere."""
