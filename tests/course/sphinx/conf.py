project = 'Serving language models'
extensions = []
html_theme = 'alabaster'
