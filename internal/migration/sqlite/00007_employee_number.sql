-- +goose Up
-- add column "employee_number" to table: "users"
ALTER TABLE `users` ADD COLUMN `employee_number` text NULL;
-- create index "user_company_id_employee_number" to table: "users"
CREATE UNIQUE INDEX `user_company_id_employee_number` ON `users` (`company_id`, `employee_number`);

-- +goose Down
-- reverse: create index "user_company_id_employee_number" to table: "users"
DROP INDEX `user_company_id_employee_number`;
-- reverse: add column "employee_number" to table: "users"
ALTER TABLE `users` DROP COLUMN `employee_number`;
