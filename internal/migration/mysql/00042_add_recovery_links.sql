-- +goose Up
-- create "recovery_links" table
CREATE TABLE `recovery_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `token_hash` binary(32) NOT NULL,
  `user_id` bigint NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `used_at` datetime(6) NULL,
  `live` tinyint NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `recoverylink_user_id_live` (`user_id`, `live`),
  INDEX `recoverylink_expires_at` (`expires_at`),
  UNIQUE INDEX `token_hash` (`token_hash`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "recovery_links" table
DROP TABLE `recovery_links`;
