-- +goose Up
-- modify "tasks" table
ALTER TABLE `tasks` DROP INDEX `task_company_id_created_at`, ADD INDEX `task_company_id_deleted_at_created_at` (`company_id`, `deleted_at`, `created_at`);

-- +goose Down
-- reverse: modify "tasks" table
ALTER TABLE `tasks` DROP INDEX `task_company_id_deleted_at_created_at`, ADD INDEX `task_company_id_created_at` (`company_id`, `created_at`);
