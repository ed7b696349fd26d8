-- +goose Up
-- modify "companies" table
ALTER TABLE `companies` MODIFY COLUMN `logo` varchar(2000) NOT NULL DEFAULT 'images/company.png';
-- the logo of companies without one
UPDATE `companies` SET `logo` = 'images/company.png' WHERE `logo` = 'images/avatar.png' AND `logo_file_id` IS NULL;

-- +goose Down
-- reverse: the logo of companies without one
UPDATE `companies` SET `logo` = 'images/avatar.png' WHERE `logo` = 'images/company.png' AND `logo_file_id` IS NULL;
-- reverse: modify "companies" table
ALTER TABLE `companies` MODIFY COLUMN `logo` varchar(2000) NOT NULL DEFAULT 'images/avatar.png';
