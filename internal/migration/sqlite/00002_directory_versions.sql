-- +goose Up
-- create index "attendance_company_id_user_id_clocked_out_at" to table: "attendances"
CREATE INDEX `attendance_company_id_user_id_clocked_out_at` ON `attendances` (`company_id`, `user_id`, `clocked_out_at`);
-- create "directory_versions" table
CREATE TABLE `directory_versions` (
  `id` integer NOT NULL,
  `version` integer NOT NULL,
  PRIMARY KEY (`id`)
);

-- +goose Down
-- reverse: create "directory_versions" table
DROP TABLE `directory_versions`;
-- reverse: create index "attendance_company_id_user_id_clocked_out_at" to table: "attendances"
DROP INDEX `attendance_company_id_user_id_clocked_out_at`;
