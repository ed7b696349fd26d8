-- +goose Up
-- create "jobs" table
CREATE TABLE `jobs` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kind` varchar(64) NOT NULL,
  `name` varchar(191) NULL,
  `company_id` bigint NOT NULL DEFAULT 0,
  `created_by` bigint NULL,
  `payload` mediumtext NULL,
  `state` enum('queued','running','done','failed','cancelled') NOT NULL DEFAULT 'queued',
  `due_at` datetime(6) NOT NULL,
  `run_at` datetime(6) NOT NULL,
  `attempts` bigint NOT NULL DEFAULT 0,
  `lease_owner` varchar(32) NULL,
  `lease_until` datetime(6) NULL,
  `cancel` bool NOT NULL DEFAULT false,
  `progress` bigint NOT NULL DEFAULT 0,
  `total` bigint NOT NULL DEFAULT 0,
  `error_code` varchar(64) NULL,
  `created_at` datetime(6) NOT NULL,
  `started_at` datetime(6) NULL,
  `finished_at` datetime(6) NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `name` (`name`),
  INDEX `job_state_company_id_run_at` (`state`, `company_id`, `run_at`),
  INDEX `job_company_id_started_at` (`company_id`, `started_at`),
  INDEX `job_finished_at` (`finished_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "jobs" table
DROP TABLE `jobs`;
