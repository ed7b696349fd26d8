package setting

// The values of a policy: what happens to a clock event that breaks a rule.
const (
	Block = "block" // refused
	Flag  = "flag"  // recorded with a flag
	Off   = "off"   // accepted
)

// Policies are those that an address or a person has of their own, by name.
type Policies map[string]string

// Policy returns the policy that holds: the person's, else the address's, else the
// company's.
func (v Values) Policy(k Key[string], person, address Policies) string {
	for _, own := range []Policies{person, address} {
		if policy, ok := own[k.Name]; ok {
			return policy
		}
	}
	return k.Of(v)
}

// With returns the policies with others in the place of their own; null removes one.
func (p Policies) With(changes map[string]any) Policies {
	out := Policies{}
	for _, s := range table {
		if !s.Policy {
			continue
		}
		policy, own := p[s.Name]
		if value, changed := changes[s.Name]; changed {
			policy, own = value.(string)
		}
		if own {
			out[s.Name] = policy
		}
	}
	return out
}
