-- +goose Up
-- create "person_exports" table
CREATE TABLE `person_exports` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `job_id` bigint NULL,
  `file_id` bigint NULL,
  `created_at` datetime(6) NOT NULL,
  `finished_at` datetime(6) NULL,
  `expires_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `personexport_user_id` (`user_id`),
  INDEX `personexport_file_id` (`file_id`),
  INDEX `personexport_expires_at` (`expires_at`),
  CONSTRAINT `person_exports_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `person_exports_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "person_exports" table
DROP TABLE `person_exports`;
