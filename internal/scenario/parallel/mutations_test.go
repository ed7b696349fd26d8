package parallel

import (
	"testing"

	"workforce/internal/server"
)

// racesOf names a race of each mutation that creates, counts or claims something.
var racesOf = map[string]string{
	"clockIn": "clock-in, different ids", "clockOut": "clock-out, different ids",
	"registerDevice": "rotate one device", "encrypt": "encrypt more than an address may",
	"login": "sign in on a device that is not trusted", "verify": "verify with the right code",
	"forgotPassword": "forget a password on many devices, by two names", "resetPassword": "reset with the right code",
	"recoverAccount": "recover by one link",
	"changePassword": "change a password", "accessToken": "ask for a token pair", "refreshToken": "refresh", "logout": "log out",
	"inviteUser": "invite somebody again", "sendMessageAgain": "send a message again",
	"createUser": "create a user", "createRole": "create a role", "createBusiness": "create a business",
	"createDesignation": "create a designation", "moveBusiness": "move two businesses below each other",
	"moveDesignation": "move two designations below each other", "mergeDesignations": "merge a designation",
	"deleteDesignation": "delete a designation, moving its users", "mergeBusinesses": "merge a business",
	"createAddress": "create an address", "createHoliday": "create a holiday",
	"importUsers":    "import people",
	"updateCompany":  "change the company",
	"importHolidays": "import holidays",
	"eraseUser":      "erase a person",
	"exportOwnData":  "export one's own data",
	"generateReport": "ask for a report", "createReportSchedule": "schedule more reports than may be",
	"createApiKey":   "make more API keys than may be",
	"createRotation": "create a rotation", "setFallbackShift": "set a fallback shift", "planDay": "plan a day",
	"copyWeek":          "copy a week",
	"reportCoordinates": "report positions",
	"requestShiftSwap":  "ask for another shift", "updateShift": "edit a shift", "splitShiftAssignment": "part an assignment",

	"requestCorrection": "ask for a correction", "decideCorrection": "decide about a correction", "cancelCorrection": "cancel a correction while it is decided",
	"requestLeave": "ask for leave of an allowance", "decideLeave": "decide about leave", "cancelLeave": "cancel leave while it is decided",
	"decideOvertime": "decide about overtime", "createLeaveType": "create a type of leave",

	"startTimer": "start a timer", "stopTimer": "stop a timer", "restartTimer": "restart a timer", "createTimeEntry": "book time",
	"saveActivity": "save an activity", "updateTimeEntry": "change an entry", "deleteTimeEntry": "delete an entry",
	"correctTimeEntry": "correct an entry", "submitWeek": "submit a week", "decideWeek": "decide about a week",
	"createProject": "create a project", "createTaskCategory": "create a category", "updateTask": "change a task",
	"saveTicket": "save tickets", "updateTicket": "merge two tickets with each other", "holdTicket": "hold a ticket", "resumeTicket": "resume a ticket",
	"createTicketCategory": "create a category of tickets", "followTicket": "follow a ticket",
	"saveTaskImages": "save a picture of a task", "createTaskChecklistItem": "add steps to a task",

	"decideLeaves": "decide about many leaves",

	"reviewAttendance": "review an attendance", "createExemption": "exempt a person", "confirmAttendance": "confirm an attendance", "recomputeShiftResults": "find results anew", "setAllowedAddresses": "allow other sites",
}

// unraced says why a mutation has no race.
var unraced = map[string]string{
	"saveActivityImages":      "as saveTaskImages",
	"deleteTimeEntries":       "as deleteTimeEntry",
	"cancelReport":            "ends what has not ended",
	"updateReportSchedule":    "sets columns of one row, which a repeat sets again",
	"deleteReportSchedule":    "deletes one row; later ones do not find it",
	"applyDefinition":         "one after the other by the lock of the owners: internal/app/definition applies files at once",
	"cancelImport":            "ends one row, which a repeat finds ended; internal/app/peopleimport cancels what runs",
	"updateProject":           "sets columns of one row, which a repeat sets again",
	"deleteProject":           "deletes one row; later ones do not find it",
	"updateTaskCategory":      "sets columns of one row, which a repeat sets again",
	"deleteTaskCategory":      "deletes one row; later ones do not find it",
	"saveTask":                "creates a row of its own each time",
	"createTicket":            "as saveTicket",
	"createTicketComment":     "creates a row of its own each time",
	"updateTicketComment":     "sets columns of one row, which a repeat sets again",
	"deleteTicketComment":     "deletes one row; later ones do not find it",
	"createTicketAttachment":  "runs under the lock of its ticket, as createTaskAttachment does",
	"deleteTicketAttachment":  "deletes one row; later ones do not find it",
	"unfollowTicket":          "deletes one row; later ones find none",
	"updateTicketCategory":    "sets columns of one row, which a repeat sets again",
	"deleteTicketCategory":    "deletes one row; later ones do not find it",
	"deleteTask":              "hides one row; later ones do not find it",
	"deleteTaskImage":         "hides one row; later ones do not find it",
	"updateTaskChecklistItem": "sets columns of one row under the lock of its task",
	"deleteTaskChecklistItem": "deletes one row; later ones do not find it",
	"createTaskComment":       "creates a row of its own each time",
	"updateTaskComment":       "sets columns of one row, which a repeat sets again",
	"deleteTaskComment":       "deletes one row; later ones do not find it",
	"createTaskAttachment":    "runs under the lock of its task, as saveTaskImages does",
	"deleteTaskAttachment":    "deletes one row; later ones do not find it",
	"updateUser":              "sets columns of one row, which a repeat sets again",
	"deleteUser":              "deactivates a row, which a repeat does again",
	"updateRole":              "sets columns of one row, which a repeat sets again",
	"deleteRole":              "deletes one row; later ones do not find it",
	"updateBusiness":          "sets columns of one row, which a repeat sets again",
	"setCoordinateConsent":    "sets a column of one row, which a repeat finds set",
	"createWidgetToken":       "creates a row of its own each time",
	"revokeApiKey":            "sets a column of one row, which a repeat finds set",
	"updateViewer":            "sets columns of one row, which a repeat sets again",
	"setAvatar":               "sets columns of one row; internal/app/files keeps the same bytes at once",
	"removeAvatar":            "sets columns of one row, which a repeat sets again",
	"setLogo":                 "sets columns of one row; internal/app/files keeps the same bytes at once",
	"removeLogo":              "sets columns of one row, which a repeat sets again",
	"updateAddress":           "sets columns of one row, which a repeat sets again",
	"deleteAddress":           "deletes one row; later ones do not find it",
	"updateHoliday":           "sets columns of one row, which a repeat sets again",
	"deleteHoliday":           "deletes one row; later ones do not find it",
	"updateExemption":         "sets columns of one row, which a repeat sets again",
	"deleteExemption":         "deletes one row; later ones do not find it",
	"deleteBusiness":          "deletes one row; later ones do not find it",
	"updateDesignation":       "sets columns of one row, which a repeat sets again",
	"sendFaceResetCode":       "requests for codes of one account run one after the other; internal/scenario/attendance asks at once",
	"requestFaceReset":        "a unique key lets one wait; internal/scenario/attendance asks at once",
	"decideFaceReset":         "changes what waits; internal/app/faceenrolment decides at once",
	"resetFace":               "ends what is in force; internal/scenario/attendance resets at once",
	"assignShift":             "internal/app/roster gives overlapping shifts at once",
	"assignShifts":            "as assignShift",
	"createShift":             "creates a row of its own each time",
	"deleteShift":             "deletes one row; later ones do not find it",
	"updateShiftAssignment":   "sets columns of one row, which a repeat sets again",
	"deleteShiftAssignment":   "deletes one row; later ones do not find it",
	"updateRotation":          "sets columns of one row, under the lock of the company's owners",
	"deleteRotation":          "deletes one row; later ones do not find it",
	"assignRotation":          "replaces the row of the same days, under the lock of the person's row",
	"endRotation":             "sets columns of one row, which a repeat sets again",
	"swapShifts":              "the first changes who has the shifts; later ones do not find them",
	"decideCorrections":       "as decideCorrection",
	"reviewAttendances":       "as reviewAttendance, in the form of decideLeaves",
	"decideWeeks":             "as decideWeek, in the form of decideLeaves",
	"decideShiftSwaps":        "as decideShiftSwap, in the form of decideLeaves",
	"decideDevices":           "as decideDevice, in the form of decideLeaves",
	"decideFaceResets":        "as decideFaceReset, in the form of decideLeaves",
	"updateLeaveType":         "sets columns of one row, which a repeat sets again",
	"deleteLeaveType":         "deletes one row; later ones do not find it",
	"decideShiftSwap":         "internal/app/roster decides one many times at once",
	"cancelShiftSwap":         "ends what has not ended",
	"revokeDevice":            "ends what has not ended",
	"updateDevice":            "sets columns of one row, which a repeat sets again",
	"decideDevice":            "the scenarios of device approval decide one many times at once",
	"revokeSession":           "ends what has not ended",
	"revokeAllSessions":       "ends what has not ended",
}

// TestEveryMutation fails for a mutation without a race or a reason to have none.
func TestEveryMutation(t *testing.T) {
	known := map[string]bool{}
	for _, g := range groups(t) {
		for _, r := range g.races {
			known[r.name] = true
		}
	}
	fields := map[string]bool{}
	for _, f := range server.Schema().Mutation.Fields {
		fields[f.Name] = true
		if name, reason := racesOf[f.Name], unraced[f.Name]; (name == "") == (reason == "") || name != "" && !known[name] {
			t.Errorf("%s: race %q, and %q as the reason to have none", f.Name, name, reason)
		}
	}
	for _, list := range []map[string]string{racesOf, unraced} {
		for name := range list {
			if !fields[name] {
				t.Errorf("%s is no mutation", name)
			}
		}
	}
}
