package main

import "testing"

func graphqlScenarios(t *testing.T, s *testServer) {}
