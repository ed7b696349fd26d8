package harness

import (
	"fmt"

	"workforce/internal/apitest"
)

// TokenHeaders are the headers of tokens, by kind.
var TokenHeaders = map[string]string{
	"access": "X-Access-Token", "refresh": "X-Refresh-Token", "user": "X-User-Token", "device": "X-Device-Token",
}

// Forgot asks on a device for a code to reset a password, and keeps the id of
// the request as device.reset.
func Forgot(device, username string) apitest.Scenario {
	return apitest.Scenario{
		Name: username + " forgot the password", Path: "/user/forgot-password", Header: DeviceOf(device), Body: `{"username":"` + username + `"}`,
		Save: map[string]string{device + ".reset": "/id"},
	}
}

// Reset sets a new password on a device.
func Reset(name, device, id, code, password string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Path: "/user/reset-password", Header: DeviceOf(device), Status: status, Want: want,
		Body: `{"id":"` + id + `","otp":"` + code + `","password":"` + password + `"}`,
	}
}

// Unverified is the answer to a sign-in that sent a code, or did not for it was
// too soon.
func Unverified(channel, destination string, expiresIn int, user string) string {
	return fmt.Sprintf(`{"userToken":"<token wfu>","verified":false,"verification":{"channel":"%s","destination":"%s","expiresIn":%d},"user":%s}`,
		channel, destination, expiresIn, user)
}

// Refresh spends a refresh token; the answer's tokens are kept under a name.
func Refresh(name, token, save string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Path: "/authorize/refresh-token", Header: Head("x-Refresh-Token", token), Want: FreshPair, WantHeader: Head("Cache-Control", "no-store", "ETag", ""),
		Save: map[string]string{save + ".access": "/accessToken", save + ".refresh": "/refreshToken"},
	}
}
