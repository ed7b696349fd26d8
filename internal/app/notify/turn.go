package notify

import (
	"cmp"
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/predicate"
	"workforce/internal/app/input"
)

// due returns the messages that match, in turn, at most one batch. Where more match than are
// read at once, it goes on behind those of the companies that it has read, so that many to the
// people of one do not hold up the others.
func (s *Service) due(ctx context.Context, matching ...predicate.Message) ([]*ent.Message, error) {
	oldest := func(more ...predicate.Message) ([]*ent.Message, error) {
		return s.DB.Message.Query().Where(matching...).Where(more...).
			Order(ent.Asc(entMessage.FieldDueAt, entMessage.FieldID)).Limit(sendBatch).All(ctx)
	}
	list, err := oldest()
	if err != nil || len(list) < sendBatch {
		return inTurn(list), err
	}
	list = nil
	for _, kind := range []predicate.Message{entMessage.CodeIDNotNil(), entMessage.CodeIDIsNil()} {
		var companies []int
		for more := true; more && len(companies) < sendBatch; {
			part, err := oldest(kind, sql.FieldNotIn(entMessage.FieldCompanyID, companies...))
			if err != nil {
				return nil, err
			}
			for _, m := range part {
				companies = append(companies, m.CompanyID)
			}
			companies = input.Distinct(companies)
			list, more = append(list, part...), len(part) == sendBatch
		}
		if len(list) >= sendBatch {
			break
		}
	}
	list = inTurn(list)
	return list[:min(len(list), sendBatch)], nil
}

// inTurn orders messages: one-time codes, for which somebody waits, before notices, and of
// each the first of every company before the second of any. The oldest of a company come first.
func inTurn(list []*ent.Message) []*ent.Message {
	list = slices.SortedFunc(slices.Values(list), func(a, b *ent.Message) int {
		return cmp.Or(a.DueAt.Compare(*b.DueAt), cmp.Compare(a.ID, b.ID))
	})
	type queue struct {
		company int
		notice  bool
	}
	places, waiting := make(map[*ent.Message]int, len(list)), map[queue]int{}
	for _, m := range list {
		q := queue{m.CompanyID, m.CodeID == nil}
		waiting[q]++
		places[m] = waiting[q]
	}
	slices.SortStableFunc(list, func(a, b *ent.Message) int {
		switch {
		case a.CodeID != nil && b.CodeID == nil:
			return -1
		case a.CodeID == nil && b.CodeID != nil:
			return 1
		}
		return cmp.Compare(places[a], places[b])
	})
	return list
}
