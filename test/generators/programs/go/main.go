// Makes requests with the client that oapi-codegen has generated.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	parlance "example.com/generated/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	url, token := os.Args[1], os.Args[2]
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client := must(parlance.NewClientWithResponses(url+"/v2", parlance.WithRequestEditorFn(authorize)))

	name := "go"
	organization := must(client.CreateOrganizationWithResponse(ctx, nil, parlance.OrganizationInput{Name: name}))
	bot := must(client.CreateUserWithResponse(ctx, nil, parlance.UserInput{Role: parlance.UserInputRoleBot}))

	var begun parlance.ConversationInput
	if err := begun.FromPlainConversation(parlance.PlainConversation{Name: &name}); err != nil {
		panic(err)
	}
	created := must(client.CreateConversationWithResponse(ctx, nil, begun)).JSON201
	conversation := must(created.AsConversation())

	var reply parlance.Action
	if err := reply.FromReplyAction(parlance.ReplyAction{Text: "Yes", Payload: "yes"}); err != nil {
		panic(err)
	}
	actions := []parlance.Action{reply}
	var said parlance.AddressedMessageInput
	chat := parlance.AddressedChatMessageInput{
		Conversation: conversation.Id, Text: "Did that help?", Actions: &actions,
	}
	if err := said.FromAddressedChatMessageInput(chat); err != nil {
		panic(err)
	}
	var body parlance.CreateMessageJSONRequestBody
	if err := body.FromAddressedMessageInput(said); err != nil {
		panic(err)
	}
	posted := must(must(client.CreateMessageWithResponse(ctx, nil, body)).JSON201.AsMessage())
	message := must(posted.AsChatMessage())

	query := parlance.ListMessagesParams{Conversation: &conversation.Id}
	texts := []string{}
	for _, one := range *must(client.ListMessagesWithResponse(ctx, &query)).JSON200 {
		texts = append(texts, must(one.AsChatMessage()).Text)
	}
	refused := must(client.CreateUserWithResponse(ctx, nil, parlance.UserInput{Role: "adnim"})).JSON400

	fmt.Println(string(must(json.Marshal(map[string]any{
		"organization": organization.JSON201.Id,
		"bot":          bot.JSON201.Id,
		"conversation": conversation.Id,
		"message":      message.Id,
		"texts":        texts,
		"refusal":      refused.Code,
	}))))
}
