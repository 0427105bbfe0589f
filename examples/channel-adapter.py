"""Carries messages between Parlance and a provider of SMS, as a service of type `api`.

PARLANCE_URL, PARLANCE_TOKEN (a bot's API key), SERVICE, SECRET (whsec_…), PROVIDER and PORT say where.
Parlance posts messages to /parlance. The provider posts messages and statuses to /provider.
"""
import base64, hashlib, hmac, json, os, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ENV = os.environ
KEY = base64.b64decode(ENV["SECRET"].removeprefix("whsec_"))
SERVICE = f"{ENV['PARLANCE_URL']}/services/{ENV['SERVICE']}"


def post(url, body, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            return response.status, json.loads(response.read() or b"{}")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")


def is_signed(headers, body):
    at = headers.get("webhook-timestamp", "0")
    if not at.isdigit() or abs(time.time() - int(at)) > 300:
        return False
    digest = hmac.new(KEY, f"{headers.get('webhook-id')}.{at}.".encode() + body, hashlib.sha256).digest()
    mine = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(mine, one) for one in headers.get("webhook-signature", "").split())


def send(event):
    """Sends a message. The event's id makes a repeated request one SMS."""
    data = event["data"]
    sms = {"key": event["id"], "message": data["message"]["id"], "to": data["recipient"]["id"], "text": data["message"]["text"]}
    status, answer = post(f"{ENV['PROVIDER']}/sms", sms)
    return (200, {"externalId": answer["id"]}) if status == 201 else (status, answer)


def receive(event):
    """Passes on a message or a status. The provider posts again unless the response is 2xx."""
    if "status" in event:
        receipt = {"message": event["message"], "status": event["status"], "externalId": event["id"]}
        return post(f"{SERVICE}/receipts", {"receipts": [receipt]}, ENV["PARLANCE_TOKEN"])
    sender = {"id": event["from"], "telephone": event["from"]}
    entry = {"id": event["id"], "from": sender, "messages": [{"text": event["text"]}]}
    return post(f"{SERVICE}/inbound", {"entries": [entry]}, ENV["PARLANCE_TOKEN"])


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200, {})  # Parlance verifies the address.

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/parlance" and not is_signed(self.headers, body):
            return self.answer(401, {"error": {"message": "The signature is wrong."}})
        self.answer(*(send if self.path == "/parlance" else receive)(json.loads(body)))

    def answer(self, status, body):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


ThreadingHTTPServer(("127.0.0.1", int(ENV["PORT"])), Handler).serve_forever()
