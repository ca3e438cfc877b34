"""covey studio: a page on this machine for those who would rather look than type (docs/design/studio.md)."""
