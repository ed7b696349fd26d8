-- +goose Up
-- modify "users" table
ALTER TABLE `users` ADD COLUMN `employee_number` varchar(64) NULL, ADD UNIQUE INDEX `user_company_id_employee_number` (`company_id`, `employee_number`);

-- +goose Down
-- reverse: modify "users" table
ALTER TABLE `users` DROP INDEX `user_company_id_employee_number`, DROP COLUMN `employee_number`;
