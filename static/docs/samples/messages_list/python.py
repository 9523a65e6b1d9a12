from postern_sdk import Postern, iterate

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    for message in iterate(postern.messages.list, status="failed", limit=100):  # all pages
        print(message.to, message.failure_code)
