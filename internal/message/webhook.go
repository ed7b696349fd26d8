package message

import (
	"reflect"
	"strconv"
	"time"

	"workforce/internal/errs"
	"workforce/internal/openapi"
)

// CallbackPath is where the gateway sends delivery reports.
const CallbackPath = "/messaging-gateway/callback"

// callbackCodes are the errors of a report, one a status.
var callbackCodes = []errs.Code{
	errs.BadRequest, errs.Unauthenticated, errs.PayloadTooLarge, errs.UnsupportedMediaType, errs.Invalid, errs.Unavailable,
}

// Describe returns, for an OpenAPI document, the requests to the messaging gateway and
// the operation by which it reports.
func Describe() openapi.Part {
	const group = "messaging-gateway"
	return openapi.Part{
		Paths: map[string]map[string]any{CallbackPath: {"post": openapi.Object{
			"operationId": "callback", "summary": "Callback", "tags": []string{group},
			"description": "The gateway reports what became of a message, as often as it likes and in any order.",
			"security":    []openapi.Object{{"signature": []string{}}},
			"requestBody": body("CallbackRequest", CallbackExample()),
			"responses":   callbackResponses(),
		}}},
		Webhooks: openapi.Object{"message": openapi.Object{"post": openapi.Object{
			"operationId": "sendMessage", "summary": "Message", "tags": []string{group},
			"description": "The service asks the messaging gateway at --sms-url to send a message. Anything but 2xx is tried again.",
			"security":    []openapi.Object{{"signature": []string{}}},
			"requestBody": body("Message", posted{
				"42", "sms", "+62811123789", "123456 adalah kode masuk Anda.", "https://wf.contoh.id" + CallbackPath,
			}),
			"responses": openapi.Object{"2XX": openapi.Object{"description": "The gateway took the message."}},
		}}},
		Tags:  map[string]string{group: "Messages to phones: the gateway that sends them, and what it reports."},
		Codes: callbackCodes,
		Schemas: map[string]*openapi.Schema{
			"Message": messageSchema(),
			"CallbackRequest": {
				Type: openapi.Types{"object"}, Required: []string{"id", "status"}, Properties: openapi.Properties{
					{Name: "id", Schema: text("The id of the message.")},
					{Name: "status", Schema: &openapi.Schema{Type: openapi.Types{"string"}, Enum: names(reportable)}},
					{Name: "error", Schema: text("Why it failed.").OrNull()},
					{Name: "at", Schema: (&openapi.Schema{
						Type: openapi.Types{"string"}, Format: "date-time", Description: "When it happened.",
					}).OrNull()},
				},
			},
			"Receipt": {
				Type: openapi.Types{"object"}, Required: []string{"received"}, Properties: openapi.Properties{
					{Name: "received", Schema: &openapi.Schema{Type: openapi.Types{"boolean"}}},
				},
			},
		},
		SecuritySchemes: openapi.Object{"signature": openapi.Object{
			"type": "apiKey", "in": "header", "name": SignatureHeader,
			"description": "`t=<unix seconds>,v1=<signature>`, where the signature is the hexadecimal HMAC-SHA256 of " +
				"`<t>.<body>` under --sms-secret.",
		}},
	}
}

// CallbackExample returns a report.
func CallbackExample() map[string]any {
	return openapi.Object{
		"id": "42", "status": Failed, "error": "no such subscriber", "at": exampleTime.Format(time.RFC3339),
	}
}

func callbackResponses() openapi.Object {
	all := openapi.Object{"200": openapi.Object{
		"description": "Received, for an unknown id too.", "headers": openapi.HeaderRefs("X-Req-Id"),
		"content": openapi.Object{"application/json": openapi.Object{
			"schema": openapi.Ref{Ref: openapi.Schemas + "Receipt"}, "example": openapi.Object{"received": true},
		}},
	}}
	for _, code := range callbackCodes {
		all[strconv.Itoa(code.Status())] = openapi.Ref{Ref: "#/components/responses/" + code.String()}
	}
	return all
}

func body(schema string, example any) openapi.Object {
	return openapi.Object{"required": true, "content": openapi.Object{"application/json": openapi.Object{
		"schema": openapi.Ref{Ref: openapi.Schemas + schema}, "example": example,
	}}}
}

// messageSchema describes posted.
func messageSchema() *openapi.Schema {
	s := &openapi.Schema{Type: openapi.Types{"object"}, Description: "A message to be sent."}
	for f := range reflect.TypeFor[posted]().Fields() {
		name := f.Tag.Get("json")
		member := text("")
		if name == "channel" {
			member.Enum = []any{"email", "sms", "whatsapp"}
		}
		s.Properties = append(s.Properties, openapi.Property{Name: name, Schema: member})
		s.Required = append(s.Required, name)
	}
	return s
}

func text(about string) *openapi.Schema {
	return &openapi.Schema{Type: openapi.Types{"string"}, Description: about}
}

func names(list []Status) (all []any) {
	for _, s := range list {
		all = append(all, s)
	}
	return all
}

var exampleTime = time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 7*3600))
