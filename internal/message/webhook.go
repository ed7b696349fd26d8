package message

import (
	"reflect"
	"time"
)

// Webhooks describes, as webhooks of an OpenAPI document, the requests to the
// messaging gateway and its reports.
func Webhooks() map[string]any {
	type object = map[string]any
	text := object{"type": "string"}
	signature := object{
		"name": SignatureHeader, "in": "header", "required": true, "schema": text,
		"description": "`t=<unix seconds>,v1=<signature>`, where the signature is the hexadecimal HMAC-SHA256 of " +
			"`<t>.<body>` under --sms-secret.",
	}
	body := func(schema, example any) object {
		return object{"required": true, "content": object{"application/json": object{"schema": schema, "example": example}}}
	}
	problem := func(about string) object {
		return object{"description": about, "content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}}}
	}
	sent := posted{"42", "sms", "+62811123789", "123456 adalah kode masuk Anda.", "https://api.example.com/messaging-gateway/callback"}
	members, required := object{}, []string{}
	for f := range reflect.TypeFor[posted]().Fields() {
		members[f.Tag.Get("json")] = text
		required = append(required, f.Tag.Get("json"))
	}
	members["channel"] = object{"type": "string", "enum": []string{"email", "sms", "whatsapp"}}
	return object{"message": object{"post": object{
		"operationId": "sendMessage", "summary": "Message", "parameters": []any{signature},
		"description": "The service asks the messaging gateway at --sms-url to send a message. Anything but 2xx is tried again.",
		"requestBody": body(object{"type": "object", "properties": members, "required": required}, object{
			"id": sent.ID, "channel": sent.Channel, "to": sent.To, "text": sent.Text, "callbackUrl": sent.CallbackURL,
		}),
		"responses": object{"2XX": object{"description": "The gateway took the message."}},
		"callbacks": object{"report": object{"{$request.body#/callbackUrl}": object{"post": object{
			"operationId": "callback", "summary": "Callback", "parameters": []any{signature},
			"description": "The gateway reports what became of a message, as often as it likes and in any order.",
			"requestBody": body(object{
				"type": "object", "required": []string{"id", "status"}, "properties": object{
					"id":     text,
					"status": object{"type": "string", "enum": reportable},
					"error":  object{"type": []string{"string", "null"}, "description": "Why it failed."},
					"at":     object{"type": []string{"string", "null"}, "format": "date-time", "description": "When it happened."},
				},
			}, object{"id": sent.ID, "status": Failed, "error": "no such subscriber", "at": exampleTime.Format(time.RFC3339)}),
			"responses": object{
				"200": object{"description": "Received, for an unknown id too.", "content": object{"application/json": object{
					"schema":  object{"type": "object", "properties": object{"received": object{"type": "boolean"}}, "required": []string{"received"}},
					"example": object{"received": true},
				}}},
				"400": problem("The body is not a JSON object."), "401": problem("There is no valid signature."),
				"413": problem("The body is larger than 1 MiB."), "415": problem("The body is not JSON."),
				"422": problem("The status is unknown."), "503": problem("Try again later."),
			},
		}}}},
	}}}
}

var exampleTime = time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 7*3600))
