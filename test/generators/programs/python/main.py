import json
import sys

from generated.api.conversations import create_conversation
from generated.api.messages import create_message, list_messages
from generated.api.organizations import create_organization
from generated.api.users import create_user
from generated.client import AuthenticatedClient
from generated.models.addressed_chat_message_input import AddressedChatMessageInput
from generated.models.chat_message import ChatMessage
from generated.models.conversation import Conversation
from generated.models.organization import Organization
from generated.models.organization_input import OrganizationInput
from generated.models.plain_conversation import PlainConversation
from generated.models.reply_action import ReplyAction
from generated.models.user import User
from generated.models.user_input import UserInput
from generated.models.user_input_role import UserInputRole

url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=f"{url}/v2", token=token)

organization = create_organization.sync(client=client, body=OrganizationInput(name="python"))
assert isinstance(organization, Organization)
bot = create_user.sync(client=client, body=UserInput(role=UserInputRole.BOT, given_name="Echo"))
assert isinstance(bot, User)
conversation = create_conversation.sync(client=client, body=PlainConversation(name="python"))
assert isinstance(conversation, Conversation)
message = create_message.sync(
    client=client,
    body=AddressedChatMessageInput(
        conversation=conversation.id,
        type_="chat",
        text="Did that help?",
        actions=[ReplyAction(type_="reply", text="Yes", payload="yes")],
    ),
)
assert isinstance(message, ChatMessage)
listed = list_messages.sync(client=client, conversation=conversation.id)
assert isinstance(listed, list)
taken = create_user.sync(
    client=client, body=UserInput(role=UserInputRole.BOT, password="short")
)
assert taken is not None and not isinstance(taken, User)

print(
    json.dumps(
        {
            "organization": organization.id,
            "bot": bot.id,
            "conversation": conversation.id,
            "message": message.id,
            "texts": [one.text for one in listed],
            "refusal": taken.code,
        }
    )
)
