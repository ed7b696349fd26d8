-- +goose Up
-- create "user_imports" table
CREATE TABLE `user_imports` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `created_by` integer NOT NULL,
  `job_id` integer NULL,
  `file_id` integer NULL,
  `dry_run` bool NOT NULL,
  `partial` bool NOT NULL,
  `invite` bool NOT NULL,
  `people` integer NOT NULL,
  `done_row` integer NOT NULL DEFAULT (0),
  `created` integer NOT NULL DEFAULT (0),
  `updated` integer NOT NULL DEFAULT (0),
  `fault_count` integer NOT NULL DEFAULT (0),
  `faults` text NULL,
  `outcome` text NULL,
  `created_at` datetime NOT NULL,
  `finished_at` datetime NULL,
  `expires_at` datetime NOT NULL
);
-- create index "userimport_company_id_outcome" to table: "user_imports"
CREATE INDEX `userimport_company_id_outcome` ON `user_imports` (`company_id`, `outcome`);
-- create index "userimport_file_id" to table: "user_imports"
CREATE INDEX `userimport_file_id` ON `user_imports` (`file_id`);
-- create index "userimport_expires_at" to table: "user_imports"
CREATE INDEX `userimport_expires_at` ON `user_imports` (`expires_at`);

-- +goose Down
-- reverse: create index "userimport_expires_at" to table: "user_imports"
DROP INDEX `userimport_expires_at`;
-- reverse: create index "userimport_file_id" to table: "user_imports"
DROP INDEX `userimport_file_id`;
-- reverse: create index "userimport_company_id_outcome" to table: "user_imports"
DROP INDEX `userimport_company_id_outcome`;
-- reverse: create "user_imports" table
DROP TABLE `user_imports`;
