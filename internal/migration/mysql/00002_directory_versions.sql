-- +goose Up
-- create "directory_versions" table
CREATE TABLE `directory_versions` (
  `id` bigint NOT NULL,
  `version` bigint NOT NULL,
  PRIMARY KEY (`id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "directory_versions" table
DROP TABLE `directory_versions`;
