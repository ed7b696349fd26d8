-- +goose Up
-- modify "users" table
ALTER TABLE `users` ADD COLUMN `coordinate_consent_at` datetime(6) NULL;
-- create "positions" table
CREATE TABLE `positions` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `recorded_at` datetime(6) NOT NULL,
  `received_at` datetime(6) NOT NULL,
  `latitude` double NOT NULL,
  `longitude` double NOT NULL,
  `accuracy` double NULL,
  `source` enum('clock_in','clock_out','task','report') NOT NULL,
  `hidden` enum('invalid','inaccurate','impossible','still') NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `position_user_id_recorded_at_source` (`user_id`, `recorded_at`, `source`),
  INDEX `position_company_id_user_id_recorded_at` (`company_id`, `user_id`, `recorded_at`),
  INDEX `position_company_id_recorded_at` (`company_id`, `recorded_at`),
  CONSTRAINT `positions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `positions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "positions" table
DROP TABLE `positions`;
-- reverse: modify "users" table
ALTER TABLE `users` DROP COLUMN `coordinate_consent_at`;
