package bench

import (
	"encoding/json"
)

// The documents that dashboards send.
const (
	employeesQuery = `query Employees {
  employees(limit: 1000) {
    nodes {
      id: databaseId name email image
      mobileNumber { countryCode number }
      gender salutation locale
      designations { id name }
    }
  }
}`
	dashboardQuery = `query Dashboard {
  attendances(first: 100, orderBy: {field: CLOCKED_IN_AT, direction: DESC}) {
    totalCount
    edges {
      node {
        id workDate clockedInAt clockedInLocal clockedInGeofence clockedInDistance clockedOutAt needsConfirmation faceVerdict
        user { id name image designations { id name } }
        address { id name }
        employeeShift { name startAt endAt }
      }
    }
    pageInfo { hasNextPage }
  }
}`
)

// operation renders the body of a GraphQL request.
func operation(name, query string) string {
	body, _ := json.Marshal(map[string]string{"operationName": name, "query": query}) // text
	return string(body)
}
