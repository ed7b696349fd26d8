-- +goose Up
-- create "jobs" table
CREATE TABLE `jobs` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kind` text NOT NULL,
  `name` text NULL,
  `company_id` integer NOT NULL DEFAULT (0),
  `created_by` integer NULL,
  `payload` text NULL,
  `state` text NOT NULL DEFAULT ('queued'),
  `due_at` datetime NOT NULL,
  `run_at` datetime NOT NULL,
  `attempts` integer NOT NULL DEFAULT (0),
  `lease_owner` text NULL,
  `lease_until` datetime NULL,
  `cancel` bool NOT NULL DEFAULT (false),
  `progress` integer NOT NULL DEFAULT (0),
  `total` integer NOT NULL DEFAULT (0),
  `error_code` text NULL,
  `created_at` datetime NOT NULL,
  `started_at` datetime NULL,
  `finished_at` datetime NULL
);
-- create index "jobs_name_key" to table: "jobs"
CREATE UNIQUE INDEX `jobs_name_key` ON `jobs` (`name`);
-- create index "job_state_company_id_run_at" to table: "jobs"
CREATE INDEX `job_state_company_id_run_at` ON `jobs` (`state`, `company_id`, `run_at`);
-- create index "job_company_id_started_at" to table: "jobs"
CREATE INDEX `job_company_id_started_at` ON `jobs` (`company_id`, `started_at`);
-- create index "job_finished_at" to table: "jobs"
CREATE INDEX `job_finished_at` ON `jobs` (`finished_at`);

-- +goose Down
-- reverse: create index "job_finished_at" to table: "jobs"
DROP INDEX `job_finished_at`;
-- reverse: create index "job_company_id_started_at" to table: "jobs"
DROP INDEX `job_company_id_started_at`;
-- reverse: create index "job_state_company_id_run_at" to table: "jobs"
DROP INDEX `job_state_company_id_run_at`;
-- reverse: create index "jobs_name_key" to table: "jobs"
DROP INDEX `jobs_name_key`;
-- reverse: create "jobs" table
DROP TABLE `jobs`;
