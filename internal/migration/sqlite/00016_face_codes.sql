-- +goose Up

-- +goose Down
