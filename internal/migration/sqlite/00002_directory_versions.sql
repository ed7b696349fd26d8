-- +goose Up
-- create "directory_versions" table
CREATE TABLE `directory_versions` (
  `id` integer NOT NULL,
  `version` integer NOT NULL,
  PRIMARY KEY (`id`)
);

-- +goose Down
-- reverse: create "directory_versions" table
DROP TABLE `directory_versions`;
