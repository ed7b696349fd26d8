-- +goose Up
-- modify "device_trusts" table
ALTER TABLE `device_trusts` ADD COLUMN `name` varchar(100) NULL;
-- create "device_approvals" table
CREATE TABLE `device_approvals` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `platform` varchar(16) NOT NULL,
  `model` varchar(255) NULL,
  `status` enum('pending','approved','refused','expired') NOT NULL DEFAULT 'pending',
  `open_marker` tinyint NULL DEFAULT 1,
  `requested_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `decided_at` datetime(6) NULL,
  `note` varchar(250) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `device_id` bigint NOT NULL,
  `decided_by_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `deviceapproval_user_id_device_id_open_marker` (`user_id`, `device_id`, `open_marker`),
  CONSTRAINT `device_approvals_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_approvals_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_approvals_devices_device` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_approvals_users_decided_by` FOREIGN KEY (`decided_by_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "device_approvals" table
DROP TABLE `device_approvals`;
-- reverse: modify "device_trusts" table
ALTER TABLE `device_trusts` DROP COLUMN `name`;
