"""covey studio: a page on this machine for those who would rather look than type (docs/design/studio.md).

Read state.py (what is known; nothing in it draws) and page.py (the frame) first. Each screen is a file that ends in
_screen.py, made of what elements.py has; texts.py holds the page's own words, library_sentences.py those of the library.
"""
