"""Receives webhooks with Flask, and replies to each message of a contact.

WEBHOOK_SECRET is the secret of the webhook, BOT_KEY an API key of its bot.

    pip install flask standardwebhooks
    python receiver_flask.py
"""
import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])


# Parlance requests the address once, when the webhook is created.
@app.get("/parlance")
def subscribe():
    return "", 200


@app.post("/parlance")
def receive():
    try:
        body = webhook.verify(request.get_data(), dict(request.headers))
    except Exception:  # A malformed signature raises other errors than a wrong one.
        return "", 401
    message = body["data"].get("message", {})
    if not body["event"].startswith("message.create.") or message.get("role") != "contact":
        return "", 204
    # An event may arrive twice. Parlance posts the reply to it once.
    reply = {"text": f"You said: {message['text']}", "isBackchannel": False}
    return {"token": os.environ["BOT_KEY"], "messages": [reply]}


if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "4000")))
