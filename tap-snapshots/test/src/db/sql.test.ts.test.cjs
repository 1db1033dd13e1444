/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/src/db/sql.test.ts > TAP > assets > MariaDB > create 1`] = `
begin
delete from \`wp_svc_assets\` where \`key\` = ?
insert into \`wp_svc_assets\` (\`key\`, \`title\`, \`width\`, \`height\`, \`mime_type\`, \`size\`, \`modified\`, \`storage\`, \`location\`, \`url\`) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
commit
select \`key\`, \`title\`, \`size\`, \`width\`, \`height\`, \`modified\`, \`mime_type\`, \`storage\`, \`location\`, \`url\` from \`wp_svc_assets\` where \`key\` = ?
`

exports[`test/src/db/sql.test.ts > TAP > assets > MariaDB > first list 1`] = `
select \`key\`, \`storage\`, \`location\`, \`title\` from \`wp_svc_assets\` where \`storage\` like ? and \`modified\` < unix_timestamp() - ? limit ?
select \`key\`, \`title\`, \`size\`, \`width\`, \`height\`, \`modified\`, \`mime_type\`, \`storage\`, \`location\`, \`url\` from \`wp_svc_assets\` where \`mime_type\` <> ? order by \`modified\` desc, \`key\` desc limit ? offset ?
select count(*) as \`total\` from \`wp_svc_assets\` where \`mime_type\` <> ?
`

exports[`test/src/db/sql.test.ts > TAP > assets > MariaDB > list of a type 1`] = `
select \`key\`, \`title\`, \`size\`, \`width\`, \`height\`, \`modified\`, \`mime_type\`, \`storage\`, \`location\`, \`url\` from \`wp_svc_assets\` where \`mime_type\` = ? order by \`modified\` desc, \`key\` desc limit ? offset ?
select count(*) as \`total\` from \`wp_svc_assets\` where \`mime_type\` = ?
`

exports[`test/src/db/sql.test.ts > TAP > assets > MariaDB > search 1`] = `
select \`key\`, \`title\` from \`wp_svc_assets\` where \`mime_type\` <> ? and (\`title\` collate utf8mb4_general_ci like ? escape '!' or \`key\` collate utf8mb4_general_ci like ? escape '!') order by \`modified\` desc, \`key\` desc
select \`key\`, \`title\`, \`size\`, \`width\`, \`height\`, \`modified\`, \`mime_type\`, \`storage\`, \`location\`, \`url\` from \`wp_svc_assets\` where \`mime_type\` <> ? and \`key\` in (?) order by \`modified\` desc, \`key\` desc
`

exports[`test/src/db/sql.test.ts > TAP > assets > SQLite > create 1`] = `
begin immediate
delete from "wp_svc_assets" where "key" = ?
insert into "wp_svc_assets" ("key", "title", "width", "height", "mime_type", "size", "modified", "storage", "location", "url") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
commit
select "key", "title", "size", "width", "height", "modified", "mime_type", "storage", "location", "url" from "wp_svc_assets" where "key" = ?
`

exports[`test/src/db/sql.test.ts > TAP > assets > SQLite > first list 1`] = `
select "key", "storage", "location", "title" from "wp_svc_assets" where "storage" like ? and "modified" < unixepoch() - ? limit ?
select "key", "title", "size", "width", "height", "modified", "mime_type", "storage", "location", "url" from "wp_svc_assets" where "mime_type" <> ? order by "modified" desc, "key" desc limit ? offset ?
select count(*) as "total" from "wp_svc_assets" where "mime_type" <> ?
`

exports[`test/src/db/sql.test.ts > TAP > assets > SQLite > list of a type 1`] = `
select "key", "title", "size", "width", "height", "modified", "mime_type", "storage", "location", "url" from "wp_svc_assets" where "mime_type" = ? order by "modified" desc, "key" desc limit ? offset ?
select count(*) as "total" from "wp_svc_assets" where "mime_type" = ?
`

exports[`test/src/db/sql.test.ts > TAP > assets > SQLite > search 1`] = `
select "key", "title" from "wp_svc_assets" where "mime_type" <> ? and ("title" like ? escape '!' or "key" like ? escape '!') order by "modified" desc, "key" desc
select "key", "title", "size", "width", "height", "modified", "mime_type", "storage", "location", "url" from "wp_svc_assets" where "mime_type" <> ? and "key" in (?) order by "modified" desc, "key" desc
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > clear 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
delete from \`wp_svc_category_products_rel\` where \`category_id\` = ?
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > create 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`title\` from \`wp_svc_categories\`
insert into \`wp_svc_categories\` (\`title\`, \`user_id\`) values (?, ?)
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > find 1`] = `
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > list 1`] = `
select \`ID\`, \`title\` from \`wp_svc_categories\`
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > list of ids with products 1`] = `
select \`ID\`, \`title\` from \`wp_svc_categories\` where \`ID\` in (?)
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > list with products 1`] = `
select \`ID\`, \`title\` from \`wp_svc_categories\`
select /*+ set_var(group_concat_max_len = 67108864) */ ID >> 16 as \`owner\`, sum(\`ID\`) as \`sum\`, group_concat(\`ID\`) as \`ids\` from \`wp_svc_products\` group by ID >> 16
select /*+ set_var(group_concat_max_len = 67108864) */ \`category_id\` as \`owner\`, sum(\`product_id\`) as \`sum\`, group_concat(\`product_id\`) as \`ids\` from \`wp_svc_category_products_rel\` group by \`category_id\`
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > remove 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
delete from \`wp_svc_category_products_rel\` where \`category_id\` = ?
delete from \`wp_svc_categories\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > MariaDB > update 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
select \`ID\`, \`title\` from \`wp_svc_categories\`
update \`wp_svc_categories\` set \`title\` = ? where \`ID\` = ?
select \`ID\` from \`wp_svc_products\` where \`ID\` in (?)
delete from \`wp_svc_category_products_rel\` where \`category_id\` = ?
insert into \`wp_svc_category_products_rel\` (\`category_id\`, \`product_id\`) values (?, ?)
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > clear 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
delete from "wp_svc_category_products_rel" where "category_id" = ?
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > create 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "title" from "wp_svc_categories"
insert into "wp_svc_categories" ("title", "user_id") values (?, ?)
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > find 1`] = `
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > list 1`] = `
select "ID", "title" from "wp_svc_categories"
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > list of ids with products 1`] = `
select "ID", "title" from "wp_svc_categories" where "ID" in (?)
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > list with products 1`] = `
select "ID", "title" from "wp_svc_categories"
select /*+ set_var(group_concat_max_len = 67108864) */ ID >> 16 as "owner", sum("ID") as "sum", group_concat("ID") as "ids" from "wp_svc_products" group by ID >> 16
select /*+ set_var(group_concat_max_len = 67108864) */ "category_id" as "owner", sum("product_id") as "sum", group_concat("product_id") as "ids" from "wp_svc_category_products_rel" group by "category_id"
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > remove 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
delete from "wp_svc_category_products_rel" where "category_id" = ?
delete from "wp_svc_categories" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > categories > SQLite > update 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
select "ID", "title" from "wp_svc_categories"
update "wp_svc_categories" set "title" = ? where "ID" = ?
select "ID" from "wp_svc_products" where "ID" in (?)
delete from "wp_svc_category_products_rel" where "category_id" = ?
insert into "wp_svc_category_products_rel" ("category_id", "product_id") values (?, ?)
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > counts 1`] = `
select count(*) as \`total\` from \`wp_svc_products\`
select count(*) as \`total\` from \`wp_svc_products\` where \`type\` = ?
select count(*) as \`total\` from \`wp_svc_views\`
select count(*) as \`total\` from \`wp_svc_categories\`
select count(*) as \`total\` from \`wp_svc_designs\`
select count(*) as \`total\` from \`wp_svc_pricing_rules\`
select count(*) as \`total\` from \`wp_svc_print_profiles\`
select count(*) as \`total\` from \`wp_svc_user_interfaces\`
select count(*) as \`total\` from \`wp_svc_orders\`
select count(*) as \`total\` from \`wp_svc_print_jobs\`

      select ID, coalesce(length(\`designs\`), 0) as size, coalesce(crc32(\`designs\`), 0) as signature
      from \`wp_svc_designs\` 
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > first request with a key 1`] = `
select unix_timestamp() as \`now\`
delete from \`wp_svc_idempotency\` where \`expires_at\` < ?
insert into \`wp_svc_idempotency\` (\`key_hash\`, \`operation\`, \`request_hash\`, \`owner\`, \`running_until\`, \`expires_at\`, \`made\`) values (?, ?, ?, ?, ?, ?, ?)
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`title\` from \`wp_svc_categories\`
insert into \`wp_svc_categories\` (\`title\`, \`user_id\`) values (?, ?)
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
update \`wp_svc_idempotency\` set \`made\` = ? where \`key_hash\` = ? and \`owner\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > first update of an option 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?)
begin
select distinct \`autoload\` from \`wp_options\`
insert into \`wp_options\` (\`option_name\`, \`option_value\`, \`autoload\`) values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > first use of a guard 1`] = `
begin
insert into \`wp_options\` (\`option_name\`, \`option_value\`, \`autoload\`) values (?, ?, ?) on duplicate key update \`option_value\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > read of options 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > read of options of the CMS 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > repeated request with a key 1`] = `
select unix_timestamp() as \`now\`
insert into \`wp_svc_idempotency\` (\`key_hash\`, \`operation\`, \`request_hash\`, \`owner\`, \`running_until\`, \`expires_at\`, \`made\`) values (?, ?, ?, ?, ?, ?, ?)
select * from \`wp_svc_idempotency\` where \`key_hash\` = ?
select \`title\` from \`wp_svc_categories\` where \`ID\` = ?
select distinct \`r\`.\`category_id\` as \`owner\`, \`r\`.\`product_id\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` inner join \`wp_svc_products\` as \`p\` on \`p\`.\`ID\` = \`r\`.\`product_id\` where \`r\`.\`category_id\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > set of one that exists 1`] = `
begin
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?)
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > set of options 1`] = `
begin
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select distinct \`autoload\` from \`wp_options\`
insert into \`wp_options\` (\`option_name\`, \`option_value\`, \`autoload\`) values (?, ?, ?)
select distinct \`autoload\` from \`wp_options\`
insert into \`wp_options\` (\`option_name\`, \`option_value\`, \`autoload\`) values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > update of an option 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?)
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ? and cast(convert(\`option_value\` using utf8mb4) as binary) = cast(convert(? using utf8mb4) as binary)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > MariaDB > use of a guard 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > counts 1`] = `
select count(*) as "total" from "wp_svc_products"
select count(*) as "total" from "wp_svc_products" where "type" = ?
select count(*) as "total" from "wp_svc_views"
select count(*) as "total" from "wp_svc_categories"
select count(*) as "total" from "wp_svc_designs"
select count(*) as "total" from "wp_svc_pricing_rules"
select count(*) as "total" from "wp_svc_print_profiles"
select count(*) as "total" from "wp_svc_user_interfaces"
select count(*) as "total" from "wp_svc_orders"
select count(*) as "total" from "wp_svc_print_jobs"

      select ID, coalesce(octet_length("designs"), 0) as size, (select data_version from pragma_data_version) || '-' || total_changes() as signature
      from "wp_svc_designs" 
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > first request with a key 1`] = `
select unixepoch() as "now"
delete from "wp_svc_idempotency" where "expires_at" < ?
insert into "wp_svc_idempotency" ("key_hash", "operation", "request_hash", "owner", "running_until", "expires_at", "made") values (?, ?, ?, ?, ?, ?, ?)
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "title" from "wp_svc_categories"
insert into "wp_svc_categories" ("title", "user_id") values (?, ?)
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
update "wp_svc_idempotency" set "made" = ? where "key_hash" = ? and "owner" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > first update of an option 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?)
begin immediate
select distinct "autoload" from "wp_options"
insert into "wp_options" ("option_name", "option_value", "autoload") values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > first use of a guard 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
insert into "wp_options" ("option_name", "option_value", "autoload") values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > read of options 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > read of options of the CMS 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > repeated request with a key 1`] = `
select unixepoch() as "now"
insert into "wp_svc_idempotency" ("key_hash", "operation", "request_hash", "owner", "running_until", "expires_at", "made") values (?, ?, ?, ?, ?, ?, ?)
select * from "wp_svc_idempotency" where "key_hash" = ?
select "title" from "wp_svc_categories" where "ID" = ?
select distinct "r"."category_id" as "owner", "r"."product_id" as "member" from "wp_svc_category_products_rel" as "r" inner join "wp_svc_products" as "p" on "p"."ID" = "r"."product_id" where "r"."category_id" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > set of one that exists 1`] = `
begin immediate
select "option_name", "option_value" from "wp_options" where "option_name" in (?)
update "wp_options" set "option_value" = ? where "option_name" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > set of options 1`] = `
begin immediate
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select distinct "autoload" from "wp_options"
insert into "wp_options" ("option_name", "option_value", "autoload") values (?, ?, ?)
select distinct "autoload" from "wp_options"
insert into "wp_options" ("option_name", "option_value", "autoload") values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > update of an option 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?)
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ? and cast("option_value" as blob) = cast(? as blob)
commit
`

exports[`test/src/db/sql.test.ts > TAP > options, guard, counts and idempotency keys > SQLite > use of a guard 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > a page far behind 1`] = `
select \`p\`.\`ID\` as \`id\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`status\` = ? and \`p\`.\`status\` = cast(convert(? using utf8mb4) as binary) order by \`p\`.\`ID\` desc limit ?
select \`p\`.\`ID\` >> 12 as \`number\`, count(*) as \`count\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`status\` = ? and \`p\`.\`status\` = cast(convert(? using utf8mb4) as binary) group by \`p\`.\`ID\` >> 12
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` inner join (select \`p\`.\`ID\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`status\` = ? and \`p\`.\`status\` = cast(convert(? using utf8mb4) as binary) order by \`p\`.\`ID\` desc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`j\`.\`ID\` order by \`j\`.\`ID\` desc
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > claim, all steps, finish 1`] = `
begin
select \`job_id\` from \`wp_svc_print_job_steps\` where \`job_id\` = ?
update \`wp_svc_print_job_steps\` set \`lease_owner\` = ?, \`lease_until\` = unix_timestamp() + ?, \`attempts\` = \`attempts\` + ?, \`step\` = case when \`step\` = ? then ? else \`step\` end, \`order_ref\` = ?, \`item_id\` = ? where \`job_id\` = ? and \`lease_until\` <= unix_timestamp()
commit
select \`step\`, \`file\`, \`storage\`, \`location\` from \`wp_svc_print_job_steps\` where \`job_id\` = ? and \`lease_owner\` = ?
update \`wp_svc_print_job_steps\` set \`lease_until\` = unix_timestamp() + ? where \`job_id\` = ? and \`lease_owner\` = ?
update \`wp_svc_print_job_steps\` set \`lease_until\` = unix_timestamp() + ?, \`step\` = ?, \`file\` = ?, \`storage\` = ?, \`location\` = ? where \`job_id\` = ? and \`lease_owner\` = ?
begin
update \`wp_svc_print_job_steps\` set \`lease_until\` = unix_timestamp() + ?, \`step\` = ? where \`job_id\` = ? and \`lease_owner\` = ?
select \`order_ref\` from \`wp_svc_print_job_steps\` where \`job_id\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
select \`data\` from \`wp_svc_print_jobs\` where \`ID\` = ?
update \`wp_svc_print_jobs\` set \`data\` = ? where \`ID\` = ?
commit
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`theirs\`.\`job_id\` from \`wp_svc_print_job_steps\` as \`mine\` inner join \`wp_svc_print_job_steps\` as \`theirs\` on \`theirs\`.\`order_ref\` = \`mine\`.\`order_ref\` where \`mine\`.\`job_id\` = ? and \`mine\`.\`order_ref\` <> ? and \`theirs\`.\`job_id\` <> ? and \`theirs\`.\`step\` = ? and \`theirs\`.\`lease_until\` > unix_timestamp()
update \`wp_svc_print_job_steps\` set \`lease_until\` = unix_timestamp() + ?, \`step\` = ? where \`job_id\` = ? and \`lease_owner\` = ?
commit
update \`wp_svc_print_job_steps\` set \`lease_until\` = unix_timestamp() + ?, \`step\` = ?, \`provider_order\` = ? where \`job_id\` = ? and \`lease_owner\` = ?
begin
update \`wp_svc_print_job_steps\` set \`lease_until\` = ?, \`lease_owner\` = ?, \`error\` = ?, \`step\` = ? where \`job_id\` = ? and \`lease_owner\` = ?
update \`wp_svc_print_jobs\` set \`status\` = ? where \`ID\` = ?
select \`order_ref\` from \`wp_svc_print_job_steps\` where \`job_id\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > create 1`] = `
begin
insert into \`wp_svc_print_jobs\` (\`guid\`, \`details\`, \`data\`, \`status\`, \`created_at\`) values (?, ?, ?, ?, current_timestamp)
insert into \`wp_svc_print_job_steps\` (\`job_id\`, \`order_ref\`, \`item_id\`) values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > file of a job 1`] = `
select \`file\`, \`storage\`, \`location\` from \`wp_svc_print_job_steps\` where \`job_id\` = ?
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > find 1`] = `
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\`, \`j\`.\`details\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` where \`j\`.\`guid\` = ? order by \`j\`.\`ID\`
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > jobs that have ended 1`] = `
select \`ID\`, \`status\` from \`wp_svc_print_jobs\` where \`ID\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > list of a status 1`] = `
select count(*) as \`total\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`status\` = ? and \`p\`.\`status\` = cast(convert(? using utf8mb4) as binary)
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\`, \`j\`.\`details\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` inner join (select \`p\`.\`ID\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`status\` = ? and \`p\`.\`status\` = cast(convert(? using utf8mb4) as binary) order by \`p\`.\`ID\` desc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`j\`.\`ID\` order by \`j\`.\`ID\` desc
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > list of ids 1`] = `
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` inner join (select \`p\`.\`ID\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`ID\` in (?) order by \`p\`.\`ID\` desc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`j\`.\`ID\` order by \`j\`.\`ID\` desc
select count(*) as \`total\` from \`wp_svc_print_jobs\` as \`p\` where \`p\`.\`ID\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > newest files 1`] = `

      select (select option_value from \`wp_options\` where option_name = ?) as progress,
        (select max(ID) from \`wp_svc_print_jobs\`) as newest, unix_timestamp() as \`now\`

      select (select option_value from \`wp_options\` where option_name = ?) as progress,
        (select max(ID) from \`wp_svc_print_jobs\`) as newest, unix_timestamp() as \`now\`
select \`j\`.\`ID\` as \`id\`, \`s\`.\`order_ref\`, \`s\`.\`item_id\`, coalesce(length(\`j\`.\`details\`), 0) as \`size\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` where \`j\`.\`ID\` > ? and \`j\`.\`ID\` <= ? and (\`s\`.\`job_id\` is null or \`s\`.\`step\` = ?) order by \`j\`.\`ID\`
insert into \`wp_options\` (\`option_name\`, \`option_value\`, \`autoload\`) values (?, ?, ?)
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > remove 1`] = `
begin
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\`, \`j\`.\`details\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` where \`j\`.\`guid\` = ? order by \`j\`.\`ID\`
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
delete from \`wp_svc_print_job_steps\` where \`job_id\` in (?)
delete from \`wp_svc_print_deliveries\` where \`job_id\` in (?)
delete from \`wp_svc_print_jobs\` where \`ID\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > settle 1`] = `
begin
update \`wp_svc_print_jobs\` set \`status\` = ? where \`ID\` = ? and \`status\` = ?
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\`, \`j\`.\`details\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` where \`j\`.\`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > MariaDB > take the pending job 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\`, \`j\`.\`details\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` where \`s\`.\`order_ref\` = ? and \`s\`.\`item_id\` = ? and \`s\`.\`step\` <> ? and \`j\`.\`status\` in (?)
select \`j\`.\`ID\`, \`j\`.\`guid\`, \`j\`.\`status\`, \`j\`.\`data\`, \`s\`.\`error\`, unix_timestamp(\`j\`.\`created_at\`) as \`created\`, \`j\`.\`details\` from \`wp_svc_print_jobs\` as \`j\` left join \`wp_svc_print_job_steps\` as \`s\` on \`s\`.\`job_id\` = \`j\`.\`ID\` where \`j\`.\`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > a page far behind 1`] = `
select "p"."ID" as "id" from "wp_svc_print_jobs" as "p" where "p"."status" = ? and cast("p"."status" as blob) = cast(? as blob) order by "p"."ID" desc limit ?
select "p"."ID" >> 12 as "number", count(*) as "count" from "wp_svc_print_jobs" as "p" where "p"."status" = ? and cast("p"."status" as blob) = cast(? as blob) group by "p"."ID" >> 12
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" inner join (select "p"."ID" from "wp_svc_print_jobs" as "p" where "p"."status" = ? and cast("p"."status" as blob) = cast(? as blob) order by "p"."ID" desc limit ? offset ?) as "page" on "page"."ID" = "j"."ID" order by "j"."ID" desc
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > claim, all steps, finish 1`] = `
begin immediate
select "job_id" from "wp_svc_print_job_steps" where "job_id" = ?
update "wp_svc_print_job_steps" set "lease_owner" = ?, "lease_until" = unixepoch() + ?, "attempts" = "attempts" + ?, "step" = case when "step" = ? then ? else "step" end, "order_ref" = ?, "item_id" = ? where "job_id" = ? and "lease_until" <= unixepoch()
commit
select "step", "file", "storage", "location" from "wp_svc_print_job_steps" where "job_id" = ? and "lease_owner" = ?
update "wp_svc_print_job_steps" set "lease_until" = unixepoch() + ? where "job_id" = ? and "lease_owner" = ?
update "wp_svc_print_job_steps" set "lease_until" = unixepoch() + ?, "step" = ?, "file" = ?, "storage" = ?, "location" = ? where "job_id" = ? and "lease_owner" = ?
begin immediate
update "wp_svc_print_job_steps" set "lease_until" = unixepoch() + ?, "step" = ? where "job_id" = ? and "lease_owner" = ?
select "order_ref" from "wp_svc_print_job_steps" where "job_id" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
select "data" from "wp_svc_print_jobs" where "ID" = ?
update "wp_svc_print_jobs" set "data" = ? where "ID" = ?
commit
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "theirs"."job_id" from "wp_svc_print_job_steps" as "mine" inner join "wp_svc_print_job_steps" as "theirs" on "theirs"."order_ref" = "mine"."order_ref" where "mine"."job_id" = ? and "mine"."order_ref" <> ? and "theirs"."job_id" <> ? and "theirs"."step" = ? and "theirs"."lease_until" > unixepoch()
update "wp_svc_print_job_steps" set "lease_until" = unixepoch() + ?, "step" = ? where "job_id" = ? and "lease_owner" = ?
commit
update "wp_svc_print_job_steps" set "lease_until" = unixepoch() + ?, "step" = ?, "provider_order" = ? where "job_id" = ? and "lease_owner" = ?
begin immediate
update "wp_svc_print_job_steps" set "lease_until" = ?, "lease_owner" = ?, "error" = ?, "step" = ? where "job_id" = ? and "lease_owner" = ?
update "wp_svc_print_jobs" set "status" = ? where "ID" = ?
select "order_ref" from "wp_svc_print_job_steps" where "job_id" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > create 1`] = `
begin immediate
insert into "wp_svc_print_jobs" ("guid", "details", "data", "status", "created_at") values (?, ?, ?, ?, current_timestamp)
insert into "wp_svc_print_job_steps" ("job_id", "order_ref", "item_id") values (?, ?, ?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > file of a job 1`] = `
select "file", "storage", "location" from "wp_svc_print_job_steps" where "job_id" = ?
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > find 1`] = `
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created", "j"."details" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" where "j"."guid" = ? order by "j"."ID"
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > jobs that have ended 1`] = `
select "ID", "status" from "wp_svc_print_jobs" where "ID" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > list of a status 1`] = `
select count(*) as "total" from "wp_svc_print_jobs" as "p" where "p"."status" = ? and cast("p"."status" as blob) = cast(? as blob)
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created", "j"."details" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" inner join (select "p"."ID" from "wp_svc_print_jobs" as "p" where "p"."status" = ? and cast("p"."status" as blob) = cast(? as blob) order by "p"."ID" desc limit ? offset ?) as "page" on "page"."ID" = "j"."ID" order by "j"."ID" desc
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > list of ids 1`] = `
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" inner join (select "p"."ID" from "wp_svc_print_jobs" as "p" where "p"."ID" in (?) order by "p"."ID" desc limit ? offset ?) as "page" on "page"."ID" = "j"."ID" order by "j"."ID" desc
select count(*) as "total" from "wp_svc_print_jobs" as "p" where "p"."ID" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > newest files 1`] = `

      select (select option_value from "wp_options" where option_name = ?) as progress,
        (select max(ID) from "wp_svc_print_jobs") as newest, unixepoch() as "now"

      select (select option_value from "wp_options" where option_name = ?) as progress,
        (select max(ID) from "wp_svc_print_jobs") as newest, unixepoch() as "now"
select "j"."ID" as "id", "s"."order_ref", "s"."item_id", coalesce(octet_length("j"."details"), 0) as "size" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" where "j"."ID" > ? and "j"."ID" <= ? and ("s"."job_id" is null or "s"."step" = ?) order by "j"."ID"
insert into "wp_options" ("option_name", "option_value", "autoload") values (?, ?, ?)
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > remove 1`] = `
begin immediate
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created", "j"."details" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" where "j"."guid" = ? order by "j"."ID"
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
delete from "wp_svc_print_job_steps" where "job_id" in (?)
delete from "wp_svc_print_deliveries" where "job_id" in (?)
delete from "wp_svc_print_jobs" where "ID" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > settle 1`] = `
begin immediate
update "wp_svc_print_jobs" set "status" = ? where "ID" = ? and "status" = ?
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created", "j"."details" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" where "j"."ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > print jobs and their steps > SQLite > take the pending job 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created", "j"."details" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" where "s"."order_ref" = ? and "s"."item_id" = ? and "s"."step" <> ? and "j"."status" in (?)
select "j"."ID", "j"."guid", "j"."status", "j"."data", "s"."error", cast(strftime('%s', "j"."created_at") as integer) as "created", "j"."details" from "wp_svc_print_jobs" as "j" left join "wp_svc_print_job_steps" as "s" on "s"."job_id" = "j"."ID" where "j"."ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > create 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
insert into \`wp_svc_products\` (\`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\`) values (?, ?, ?, ?, ?)
select \`ID\` from \`wp_svc_categories\` where \`ID\` in (?)
delete from \`wp_svc_category_products_rel\` where \`product_id\` = ?
insert into \`wp_svc_category_products_rel\` (\`category_id\`, \`product_id\`) values (?, ?)
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > create from a template 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
insert into \`wp_svc_products\` (\`thumbnail\`, \`options\`, \`title\`, \`type\`, \`user_id\`) values (?, ?, ?, ?, ?)
insert into \`wp_svc_views\` (\`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\`) select ? as \`product_id\`, \`v\`.\`title\`, \`v\`.\`thumbnail\`, \`v\`.\`elements\`, \`v\`.\`view_order\`, \`v\`.\`options\` from \`wp_svc_views\` as \`v\` where \`v\`.\`product_id\` = ? order by \`v\`.\`view_order\`, \`v\`.\`ID\`
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > duplicate 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
insert into \`wp_svc_products\` (\`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\`) values (?, ?, ?, ?, ?)
insert into \`wp_svc_views\` (\`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\`) select ? as \`product_id\`, \`v\`.\`title\`, \`v\`.\`thumbnail\`, \`v\`.\`elements\`, \`v\`.\`view_order\`, \`v\`.\`options\` from \`wp_svc_views\` as \`v\` where \`v\`.\`product_id\` = ? order by \`v\`.\`view_order\`, \`v\`.\`ID\`
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
select \`ID\` from \`wp_svc_categories\` where \`ID\` in (?)
delete from \`wp_svc_category_products_rel\` where \`product_id\` = ?
insert into \`wp_svc_category_products_rel\` (\`category_id\`, \`product_id\`) values (?, ?)
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > find 1`] = `
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > list 1`] = `
select count(*) as \`total\` from \`wp_svc_products\` as \`p\`
select \`p\`.\`ID\`, \`p\`.\`title\`, \`p\`.\`type\`, \`p\`.\`thumbnail\`, \`p\`.\`options\`, \`p\`.\`user_id\`, (select group_concat(\`c\`.\`ID\`) from \`wp_svc_category_products_rel\` as \`r\`
        left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\`
        where \`r\`.\`product_id\` = \`p\`.\`ID\`) as \`categories\` from \`wp_svc_products\` as \`p\` order by \`p\`.\`ID\` desc limit ? offset ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > list by title and type 1`] = `
select max(\`ID\`) as \`last\` from \`wp_svc_products\`
select count(*) as \`total\` from \`wp_svc_products\` as \`p\` where coalesce(\`p\`.\`type\`, '') <> ?
select \`p\`.\`ID\`, \`p\`.\`title\`, \`p\`.\`type\`, \`p\`.\`thumbnail\`, \`p\`.\`options\`, \`p\`.\`user_id\`, (select group_concat(\`c\`.\`ID\`) from \`wp_svc_category_products_rel\` as \`r\`
        left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\`
        where \`r\`.\`product_id\` = \`p\`.\`ID\`) as \`categories\` from \`wp_svc_products\` as \`p\` inner join (select \`p\`.\`ID\` from \`wp_svc_products\` as \`p\` where coalesce(\`p\`.\`type\`, '') <> ? order by \`p\`.\`title\` asc, \`p\`.\`ID\` asc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`p\`.\`ID\` order by \`p\`.\`title\` asc, \`p\`.\`ID\` asc
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > list of a category 1`] = `
select straight_join count(*) as \`total\` from \`wp_svc_category_products_rel\` as \`r\` cross join \`wp_svc_products\` as \`p\` where \`r\`.\`category_id\` = ? and \`p\`.\`ID\` = \`r\`.\`product_id\`
select \`p\`.\`ID\`, \`p\`.\`title\`, \`p\`.\`type\`, \`p\`.\`thumbnail\`, \`p\`.\`options\`, \`p\`.\`user_id\`, (select group_concat(\`c\`.\`ID\`) from \`wp_svc_category_products_rel\` as \`r\`
        left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\`
        where \`r\`.\`product_id\` = \`p\`.\`ID\`) as \`categories\` from \`wp_svc_products\` as \`p\` inner join (select straight_join \`p\`.\`ID\` from \`wp_svc_category_products_rel\` as \`r\` cross join \`wp_svc_products\` as \`p\` where \`r\`.\`category_id\` = ? and \`p\`.\`ID\` = \`r\`.\`product_id\` order by \`r\`.\`product_id\` desc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`p\`.\`ID\` order by \`p\`.\`ID\` desc
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > list of ids 1`] = `
select count(*) as \`total\` from \`wp_svc_products\` as \`p\` where \`p\`.\`ID\` in (?, ?, ?)
select \`p\`.\`ID\`, \`p\`.\`title\`, \`p\`.\`type\`, \`p\`.\`thumbnail\`, \`p\`.\`options\`, \`p\`.\`user_id\`, (select group_concat(\`c\`.\`ID\`) from \`wp_svc_category_products_rel\` as \`r\`
        left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\`
        where \`r\`.\`product_id\` = \`p\`.\`ID\`) as \`categories\` from \`wp_svc_products\` as \`p\` where \`p\`.\`ID\` in (?, ?, ?) order by \`p\`.\`ID\` desc limit ? offset ?
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > list without blobs, views and categories 1`] = `
select count(*) as \`total\` from \`wp_svc_products\` as \`p\`
select \`p\`.\`ID\`, \`p\`.\`title\`, \`p\`.\`type\`, \`p\`.\`thumbnail\`, \`p\`.\`user_id\` from \`wp_svc_products\` as \`p\` order by \`p\`.\`ID\` desc limit ? offset ?
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > remove 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ? for update
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
delete from \`wp_svc_views\` where \`product_id\` = ?
delete from \`wp_svc_category_products_rel\` where \`product_id\` = ?
delete from \`wp_svc_products\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > search 1`] = `
select \`p\`.\`ID\`, \`p\`.\`title\` from \`wp_svc_products\` as \`p\` where \`p\`.\`title\` collate utf8mb4_general_ci like ? escape '!' order by \`p\`.\`ID\` desc
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > search for ASCII in a category 1`] = `
select straight_join \`p\`.\`ID\` from \`wp_svc_category_products_rel\` as \`r\` cross join \`wp_svc_products\` as \`p\` where \`r\`.\`category_id\` = ? and \`p\`.\`ID\` = \`r\`.\`product_id\` and upper(\`p\`.\`title\` collate utf8mb4_general_ci) collate utf8mb4_bin like ? escape '!' and \`p\`.\`type\` = ? limit ?
select \`p\`.\`ID\`, \`p\`.\`title\`, \`p\`.\`type\`, \`p\`.\`thumbnail\`, \`p\`.\`options\`, \`p\`.\`user_id\`, (select group_concat(\`c\`.\`ID\`) from \`wp_svc_category_products_rel\` as \`r\`
        left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\`
        where \`r\`.\`product_id\` = \`p\`.\`ID\`) as \`categories\` from \`wp_svc_products\` as \`p\` inner join (select straight_join \`p\`.\`ID\` from \`wp_svc_category_products_rel\` as \`r\` cross join \`wp_svc_products\` as \`p\` where \`r\`.\`category_id\` = ? and \`p\`.\`ID\` = \`r\`.\`product_id\` and upper(\`p\`.\`title\` collate utf8mb4_general_ci) collate utf8mb4_bin like ? escape '!' and \`p\`.\`type\` = ? order by \`r\`.\`product_id\` desc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`p\`.\`ID\` order by \`p\`.\`ID\` desc
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > update categories and the order of views 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ? for update
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
select \`ID\` from \`wp_svc_categories\` where \`ID\` in (?)
delete from \`wp_svc_category_products_rel\` where \`product_id\` = ?
insert into \`wp_svc_category_products_rel\` (\`category_id\`, \`product_id\`) values (?, ?)
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
update \`wp_svc_views\` set \`view_order\` = case when \`ID\` = ? then 0 when \`ID\` = ? then 1 else \`view_order\` end where \`ID\` in (?, ?)
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > MariaDB > update one row 1`] = `
begin
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ? for update
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
update \`wp_svc_products\` set \`title\` = ?, \`options\` = ? where \`ID\` = ?
select \`ID\`, \`title\`, \`type\`, \`thumbnail\`, \`options\`, \`user_id\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` in (?)
select \`r\`.\`product_id\` as \`owner\`, \`c\`.\`ID\` as \`member\` from \`wp_svc_category_products_rel\` as \`r\` left join \`wp_svc_categories\` as \`c\` on \`c\`.\`ID\` = \`r\`.\`category_id\` where \`r\`.\`product_id\` in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > create 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
insert into "wp_svc_products" ("title", "type", "thumbnail", "options", "user_id") values (?, ?, ?, ?, ?)
select "ID" from "wp_svc_categories" where "ID" in (?)
delete from "wp_svc_category_products_rel" where "product_id" = ?
insert into "wp_svc_category_products_rel" ("category_id", "product_id") values (?, ?)
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > create from a template 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
insert into "wp_svc_products" ("thumbnail", "options", "title", "type", "user_id") values (?, ?, ?, ?, ?)
insert into "wp_svc_views" ("product_id", "title", "thumbnail", "elements", "view_order", "options") select ? as "product_id", "v"."title", "v"."thumbnail", "v"."elements", "v"."view_order", "v"."options" from "wp_svc_views" as "v" where "v"."product_id" = ? order by "v"."view_order", "v"."ID"
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > duplicate 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
insert into "wp_svc_products" ("title", "type", "thumbnail", "options", "user_id") values (?, ?, ?, ?, ?)
insert into "wp_svc_views" ("product_id", "title", "thumbnail", "elements", "view_order", "options") select ? as "product_id", "v"."title", "v"."thumbnail", "v"."elements", "v"."view_order", "v"."options" from "wp_svc_views" as "v" where "v"."product_id" = ? order by "v"."view_order", "v"."ID"
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
select "ID" from "wp_svc_categories" where "ID" in (?)
delete from "wp_svc_category_products_rel" where "product_id" = ?
insert into "wp_svc_category_products_rel" ("category_id", "product_id") values (?, ?)
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > find 1`] = `
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > list 1`] = `
select count(*) as "total" from "wp_svc_products" as "p"
select "p"."ID", "p"."title", "p"."type", "p"."thumbnail", "p"."options", "p"."user_id", (select group_concat("c"."ID") from "wp_svc_category_products_rel" as "r"
        left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id"
        where "r"."product_id" = "p"."ID") as "categories" from "wp_svc_products" as "p" order by "p"."ID" desc limit ? offset ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > list by title and type 1`] = `
select count(*) as "total" from "wp_svc_products" as "p" where coalesce("p"."type", '') <> ?
select "p"."ID", "p"."title", "p"."type", "p"."thumbnail", "p"."options", "p"."user_id", (select group_concat("c"."ID") from "wp_svc_category_products_rel" as "r"
        left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id"
        where "r"."product_id" = "p"."ID") as "categories" from "wp_svc_products" as "p" inner join (select "p"."ID" from "wp_svc_products" as "p" where coalesce("p"."type", '') <> ? order by "p"."title" collate nocase asc, "p"."ID" asc limit ? offset ?) as "page" on "page"."ID" = "p"."ID" order by "p"."title" collate nocase asc, "p"."ID" asc
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > list of a category 1`] = `
select all count(*) as "total" from "wp_svc_category_products_rel" as "r" cross join "wp_svc_products" as "p" where "r"."category_id" = ? and "p"."ID" = "r"."product_id"
select "p"."ID", "p"."title", "p"."type", "p"."thumbnail", "p"."options", "p"."user_id", (select group_concat("c"."ID") from "wp_svc_category_products_rel" as "r"
        left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id"
        where "r"."product_id" = "p"."ID") as "categories" from "wp_svc_products" as "p" inner join (select all "p"."ID" from "wp_svc_category_products_rel" as "r" cross join "wp_svc_products" as "p" where "r"."category_id" = ? and "p"."ID" = "r"."product_id" order by "r"."product_id" desc limit ? offset ?) as "page" on "page"."ID" = "p"."ID" order by "p"."ID" desc
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > list of ids 1`] = `
select count(*) as "total" from "wp_svc_products" as "p" where "p"."ID" in (?, ?, ?)
select "p"."ID", "p"."title", "p"."type", "p"."thumbnail", "p"."options", "p"."user_id", (select group_concat("c"."ID") from "wp_svc_category_products_rel" as "r"
        left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id"
        where "r"."product_id" = "p"."ID") as "categories" from "wp_svc_products" as "p" where "p"."ID" in (?, ?, ?) order by "p"."ID" desc limit ? offset ?
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > list without blobs, views and categories 1`] = `
select count(*) as "total" from "wp_svc_products" as "p"
select "p"."ID", "p"."title", "p"."type", "p"."thumbnail", "p"."user_id" from "wp_svc_products" as "p" order by "p"."ID" desc limit ? offset ?
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > remove 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
delete from "wp_svc_views" where "product_id" = ?
delete from "wp_svc_category_products_rel" where "product_id" = ?
delete from "wp_svc_products" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > search 1`] = `
select "p"."ID", "p"."title" from "wp_svc_products" as "p" where "p"."title" like ? escape '!' order by "p"."ID" desc
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > search for ASCII in a category 1`] = `
select all "p"."ID" from "wp_svc_category_products_rel" as "r" cross join "wp_svc_products" as "p" where "r"."category_id" = ? and "p"."ID" = "r"."product_id" and "p"."title" like ? escape '!' and "p"."type" = ? limit ?
select "p"."ID", "p"."title", "p"."type", "p"."thumbnail", "p"."options", "p"."user_id", (select group_concat("c"."ID") from "wp_svc_category_products_rel" as "r"
        left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id"
        where "r"."product_id" = "p"."ID") as "categories" from "wp_svc_products" as "p" inner join (select all "p"."ID" from "wp_svc_category_products_rel" as "r" cross join "wp_svc_products" as "p" where "r"."category_id" = ? and "p"."ID" = "r"."product_id" and "p"."title" like ? escape '!' and "p"."type" = ? order by "r"."product_id" desc limit ? offset ?) as "page" on "page"."ID" = "p"."ID" order by "p"."ID" desc
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > update categories and the order of views 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
select "ID" from "wp_svc_categories" where "ID" in (?)
delete from "wp_svc_category_products_rel" where "product_id" = ?
insert into "wp_svc_category_products_rel" ("category_id", "product_id") values (?, ?)
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
update "wp_svc_views" set "view_order" = case when "ID" = ? then 0 when "ID" = ? then 1 else "view_order" end where "ID" in (?, ?)
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > products > SQLite > update one row 1`] = `
begin immediate
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
update "wp_svc_products" set "title" = ?, "options" = ? where "ID" = ?
select "ID", "title", "type", "thumbnail", "options", "user_id" from "wp_svc_products" where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" in (?)
select "r"."product_id" as "owner", "c"."ID" as "member" from "wp_svc_category_products_rel" as "r" left join "wp_svc_categories" as "c" on "c"."ID" = "r"."category_id" where "r"."product_id" in (?)
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > change of the elements 1`] = `
begin
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ? for update
update \`wp_svc_views\` set \`elements\` = ? where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > change of the title 1`] = `
begin
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ? for update
update \`wp_svc_views\` set \`title\` = ? where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > create 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
insert into \`wp_svc_views\` (\`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, \`view_order\`) values (?, ?, ?, ?, ?, ?)
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > create at a place 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\` from \`wp_svc_products\` where \`ID\` = ?
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
insert into \`wp_svc_views\` (\`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, \`view_order\`) values (?, ?, ?, ?, ?, ?)
update \`wp_svc_views\` set \`view_order\` = case when \`ID\` = ? then 1 else \`view_order\` end where \`ID\` in (?)
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > duplicate 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
insert into \`wp_svc_views\` (\`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, \`view_order\`) values (?, ?, ?, ?, ?, ?)
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > find 1`] = `
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > list of a product 1`] = `
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`view_order\`, \`options\` from \`wp_svc_views\` where \`product_id\` = ?
select \`ID\` from \`wp_svc_products\` where \`ID\` = ?
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > list without blobs 1`] = `
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ?
select \`ID\` from \`wp_svc_products\` where \`ID\` = ?
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > merge of options 1`] = `
begin
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ? for update
update \`wp_svc_views\` set \`options\` = ? where \`ID\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > move 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ? for update
select \`ID\` from \`wp_svc_products\` where \`ID\` = ?
update \`wp_svc_views\` set \`product_id\` = ? where \`ID\` = ?
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
update \`wp_svc_views\` set \`view_order\` = case when \`ID\` = ? then 1 else \`view_order\` end where \`ID\` in (?)
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
update \`wp_svc_views\` set \`view_order\` = case when \`ID\` = ? then 0 else \`view_order\` end where \`ID\` in (?)
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > MariaDB > remove 1`] = `
begin
update \`wp_options\` set \`option_value\` = ? where \`option_name\` = ?
select \`ID\`, \`product_id\`, \`title\`, \`thumbnail\`, \`elements\`, \`options\`, (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from \`wp_svc_views\` as o where o.product_id = v.product_id) as \`view_order\` from \`wp_svc_views\` as \`v\` where \`ID\` = ? for update
delete from \`wp_svc_views\` where \`ID\` = ?
select \`ID\`, \`view_order\` from \`wp_svc_views\` where \`product_id\` = ? order by \`view_order\`, \`ID\`
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > change of the elements 1`] = `
begin immediate
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
update "wp_svc_views" set "elements" = ? where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > change of the title 1`] = `
begin immediate
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
update "wp_svc_views" set "title" = ? where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > create 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID" from "wp_svc_products" where "ID" = ?
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
insert into "wp_svc_views" ("product_id", "title", "thumbnail", "elements", "options", "view_order") values (?, ?, ?, ?, ?, ?)
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > create at a place 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID" from "wp_svc_products" where "ID" = ?
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
insert into "wp_svc_views" ("product_id", "title", "thumbnail", "elements", "options", "view_order") values (?, ?, ?, ?, ?, ?)
update "wp_svc_views" set "view_order" = case when "ID" = ? then 1 else "view_order" end where "ID" in (?)
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > duplicate 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
insert into "wp_svc_views" ("product_id", "title", "thumbnail", "elements", "options", "view_order") values (?, ?, ?, ?, ?, ?)
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > find 1`] = `
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > list of a product 1`] = `
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
select "ID", "product_id", "title", "thumbnail", "elements", "view_order", "options" from "wp_svc_views" where "product_id" = ?
select "ID" from "wp_svc_products" where "ID" = ?
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > list without blobs 1`] = `
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
select "ID", "product_id", "title", "thumbnail", "view_order" from "wp_svc_views" where "product_id" = ?
select "ID" from "wp_svc_products" where "ID" = ?
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > merge of options 1`] = `
begin immediate
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
update "wp_svc_views" set "options" = ? where "ID" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > move 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
select "ID" from "wp_svc_products" where "ID" = ?
update "wp_svc_views" set "product_id" = ? where "ID" = ?
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
update "wp_svc_views" set "view_order" = case when "ID" = ? then 1 else "view_order" end where "ID" in (?)
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
update "wp_svc_views" set "view_order" = case when "ID" = ? then 0 else "view_order" end where "ID" in (?)
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
commit
`

exports[`test/src/db/sql.test.ts > TAP > views > SQLite > remove 1`] = `
begin immediate
update "wp_options" set "option_value" = ? where "option_name" = ?
select "ID", "product_id", "title", "thumbnail", "elements", "options", (select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from "wp_svc_views" as o where o.product_id = v.product_id) as "view_order" from "wp_svc_views" as "v" where "ID" = ?
delete from "wp_svc_views" where "ID" = ?
select "ID", "view_order" from "wp_svc_views" where "product_id" = ? order by "view_order", "ID"
commit
`
