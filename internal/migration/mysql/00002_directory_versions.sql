-- +goose Up
-- modify "attendances" table
ALTER TABLE `attendances` ADD INDEX `attendance_company_id_user_id_clocked_out_at` (`company_id`, `user_id`, `clocked_out_at`);
-- create "directory_versions" table
CREATE TABLE `directory_versions` (
  `id` bigint NOT NULL,
  `version` bigint NOT NULL,
  PRIMARY KEY (`id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "directory_versions" table
DROP TABLE `directory_versions`;
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP INDEX `attendance_company_id_user_id_clocked_out_at`;
