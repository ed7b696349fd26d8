-- +goose Up
-- drop index "task_company_id_created_at" from table: "tasks"
DROP INDEX `task_company_id_created_at`;
-- drop index "task_company_id_status_created_at" from table: "tasks"
DROP INDEX `task_company_id_status_created_at`;
-- create index "task_company_id_deleted_at_created_at" to table: "tasks"
CREATE INDEX `task_company_id_deleted_at_created_at` ON `tasks` (`company_id`, `deleted_at`, `created_at`);
-- create index "task_company_id_deleted_at_status_created_at" to table: "tasks"
CREATE INDEX `task_company_id_deleted_at_status_created_at` ON `tasks` (`company_id`, `deleted_at`, `status`, `created_at`);

-- +goose Down
-- reverse: create index "task_company_id_deleted_at_status_created_at" to table: "tasks"
DROP INDEX `task_company_id_deleted_at_status_created_at`;
-- reverse: create index "task_company_id_deleted_at_created_at" to table: "tasks"
DROP INDEX `task_company_id_deleted_at_created_at`;
-- reverse: drop index "task_company_id_status_created_at" from table: "tasks"
CREATE INDEX `task_company_id_status_created_at` ON `tasks` (`company_id`, `status`, `created_at`);
-- reverse: drop index "task_company_id_created_at" from table: "tasks"
CREATE INDEX `task_company_id_created_at` ON `tasks` (`company_id`, `created_at`);
