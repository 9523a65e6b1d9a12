from postern.cli import app

app()
