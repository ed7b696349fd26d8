package bench

// rosterQuery asks for the week of 200 people, as a screen of shifts does.
const rosterQuery = `query Roster {
  roster(limit: 200) {
    startsOn endsOn totalCount
    people { userId name shifts { employeeShiftId shiftId name colour date startAt endAt origin clashes } }
  }
}`
