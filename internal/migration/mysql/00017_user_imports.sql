-- +goose Up
-- create "user_imports" table
CREATE TABLE `user_imports` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `created_by` bigint NOT NULL,
  `job_id` bigint NULL,
  `file_id` bigint NULL,
  `dry_run` bool NOT NULL,
  `partial` bool NOT NULL,
  `invite` bool NOT NULL,
  `people` bigint NOT NULL,
  `done_row` bigint NOT NULL DEFAULT 0,
  `created` bigint NOT NULL DEFAULT 0,
  `updated` bigint NOT NULL DEFAULT 0,
  `fault_count` bigint NOT NULL DEFAULT 0,
  `faults` mediumtext NULL,
  `outcome` enum('done','failed','cancelled') NULL,
  `created_at` datetime(6) NOT NULL,
  `finished_at` datetime(6) NULL,
  `expires_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `userimport_company_id_outcome` (`company_id`, `outcome`),
  INDEX `userimport_file_id` (`file_id`),
  INDEX `userimport_expires_at` (`expires_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "user_imports" table
DROP TABLE `user_imports`;
