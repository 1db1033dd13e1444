/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > create 1`] = `
begin
commit
insert into \`wp_svc_designs\` (\`title\`, \`thumbnail\`, \`options\`, \`designs\`, \`parent_id\`, \`category_order\`) values (?, ?, ?, ?, ?, ?)
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ?
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > create a child 1`] = `
begin
commit
insert into \`wp_svc_designs\` (\`title\`, \`thumbnail\`, \`options\`, \`designs\`, \`parent_id\`, \`category_order\`) values (?, ?, ?, ?, ?, ?)
select \`ID\`, \`parent_id\` from \`wp_svc_designs\`
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ?
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > find 1`] = `
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ?
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > list 1`] = `

      select ID, coalesce(length(\`designs\`), 0) as size, coalesce(crc32(\`designs\`), 0) as signature
      from \`wp_svc_designs\` where ID in (?, ?)
select \`ID\`, \`designs\` from \`wp_svc_designs\` where \`ID\` in (?, ?)
select \`ID\`, \`thumbnail\`, \`options\` from \`wp_svc_designs\` where \`ID\` in (?, ?)
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\` from \`wp_svc_designs\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > list of children 1`] = `

      select ID, coalesce(length(\`designs\`), 0) as size, coalesce(crc32(\`designs\`), 0) as signature
      from \`wp_svc_designs\` where ID in (?)
select \`ID\`, \`thumbnail\`, \`options\` from \`wp_svc_designs\` where \`ID\` in (?)
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\` from \`wp_svc_designs\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > list of ids 1`] = `

      select ID, coalesce(length(\`designs\`), 0) as size, coalesce(crc32(\`designs\`), 0) as signature
      from \`wp_svc_designs\` where ID in (?, ?)
select \`ID\`, \`thumbnail\`, \`options\` from \`wp_svc_designs\` where \`ID\` in (?, ?)
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\` from \`wp_svc_designs\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > move 1`] = `
begin
commit
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ?
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ? for update
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
update \`wp_svc_designs\` set \`parent_id\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > remove 1`] = `
begin
commit
delete from \`wp_svc_designs\` where \`ID\` = ?
select \`ID\`, \`parent_id\` from \`wp_svc_designs\`
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ? for update
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
update \`wp_svc_designs\` set \`parent_id\` = ? where \`parent_id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > search 1`] = `
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\` from \`wp_svc_designs\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > MariaDB > update 1`] = `
begin
commit
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ?
select \`ID\`, \`title\`, \`parent_id\`, \`category_order\`, \`options\`, \`thumbnail\`, \`designs\` from \`wp_svc_designs\` where \`ID\` = ? for update
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
select count(*) as \`total\` from \`wp_svc_designs\` where \`parent_id\` = ?
update \`wp_svc_designs\` set \`title\` = ?, \`options\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > create 1`] = `
begin immediate
commit
insert into "wp_svc_designs" ("title", "thumbnail", "options", "designs", "parent_id", "category_order") values (?, ?, ?, ?, ?, ?)
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > create a child 1`] = `
begin immediate
commit
insert into "wp_svc_designs" ("title", "thumbnail", "options", "designs", "parent_id", "category_order") values (?, ?, ?, ?, ?, ?)
select "ID", "parent_id" from "wp_svc_designs"
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > find 1`] = `
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > list 1`] = `

      select ID, coalesce(octet_length("designs"), 0) as size, (select data_version from pragma_data_version) || '-' || total_changes() as signature
      from "wp_svc_designs" where ID in (?, ?)
select "ID", "designs" from "wp_svc_designs" where "ID" in (?, ?)
select "ID", "thumbnail", "options" from "wp_svc_designs" where "ID" in (?, ?)
select "ID", "title", "parent_id", "category_order" from "wp_svc_designs"
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > list of children 1`] = `

      select ID, coalesce(octet_length("designs"), 0) as size, (select data_version from pragma_data_version) || '-' || total_changes() as signature
      from "wp_svc_designs" where ID in (?)
select "ID", "thumbnail", "options" from "wp_svc_designs" where "ID" in (?)
select "ID", "title", "parent_id", "category_order" from "wp_svc_designs"
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > list of ids 1`] = `

      select ID, coalesce(octet_length("designs"), 0) as size, (select data_version from pragma_data_version) || '-' || total_changes() as signature
      from "wp_svc_designs" where ID in (?, ?)
select "ID", "thumbnail", "options" from "wp_svc_designs" where "ID" in (?, ?)
select "ID", "title", "parent_id", "category_order" from "wp_svc_designs"
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > move 1`] = `
begin immediate
commit
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
update "wp_svc_designs" set "parent_id" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > remove 1`] = `
begin immediate
commit
delete from "wp_svc_designs" where "ID" = ?
select "ID", "parent_id" from "wp_svc_designs"
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
update "wp_svc_designs" set "parent_id" = ? where "parent_id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > search 1`] = `
select "ID", "title", "parent_id", "category_order" from "wp_svc_designs"
`

exports[`test/src/db/sql-routes.test.ts > TAP > design categories > SQLite > update 1`] = `
begin immediate
commit
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select "ID", "title", "parent_id", "category_order", "options", "thumbnail", "designs" from "wp_svc_designs" where "ID" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
select count(*) as "total" from "wp_svc_designs" where "parent_id" = ?
update "wp_svc_designs" set "title" = ?, "options" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > MariaDB > find 1`] = `
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select \`post_status\` as \`status\` from \`wp_posts\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > MariaDB > find an item 1`] = `
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select \`post_status\` as \`status\` from \`wp_posts\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > MariaDB > list 1`] = `

        select count(*) as number from (select 1 as one from \`wp_woocommerce_order_itemmeta\` as m where m.meta_key in (?, ?, ?) limit ?) as w
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select \`p\`.\`ID\` as \`id\`, \`p\`.\`post_status\` as \`status\`, cast(p.post_date_gmt as char) as \`created\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`mail\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`first\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`last\` from \`wp_posts\` as \`p\` where \`p\`.\`post_type\` = ? and \`p\`.\`post_status\` not in (?, ?, ?, ?) and \`p\`.\`ID\` in (select \`i\`.\`order_id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?)) order by \`p\`.\`post_date_gmt\` desc, \`p\`.\`ID\` desc limit ? offset ?
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select count(*) as \`total\` from \`wp_posts\` as \`p\` where \`p\`.\`post_type\` = ? and \`p\`.\`post_status\` not in (?, ?, ?, ?) and \`p\`.\`ID\` in (select \`i\`.\`order_id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?))
select distinct \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and \`i\`.\`order_id\` in (?) order by \`i\`.\`order_item_id\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > MariaDB > list of ids 1`] = `
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select \`p\`.\`ID\` as \`id\`, \`p\`.\`post_status\` as \`status\`, cast(p.post_date_gmt as char) as \`created\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`mail\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`first\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`last\` from \`wp_posts\` as \`p\` where \`p\`.\`post_type\` = ? and \`p\`.\`post_status\` not in (?, ?, ?, ?) and (select count(*) as \`items\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and i.order_id = \`p\`.\`ID\`) > 0 and \`p\`.\`ID\` in (?, ?) order by \`p\`.\`post_date_gmt\` desc, \`p\`.\`ID\` desc limit ? offset ?
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select count(*) as \`total\` from \`wp_posts\` as \`p\` where \`p\`.\`post_type\` = ? and \`p\`.\`post_status\` not in (?, ?, ?, ?) and (select count(*) as \`items\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and i.order_id = \`p\`.\`ID\`) > 0 and \`p\`.\`ID\` in (?, ?)
select distinct \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and \`i\`.\`order_id\` in (?) order by \`i\`.\`order_item_id\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > MariaDB > search 1`] = `
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select \`p\`.\`ID\` as \`id\`, \`p\`.\`post_status\` as \`status\`, cast(p.post_date_gmt as char) as \`created\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`mail\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`first\`, (select min(substr(\`x\`.\`meta_value\`, 1, 1000)) from \`wp_postmeta\` as x
      where x.post_id = p.ID and x.meta_key = ?) as \`last\` from \`wp_posts\` as \`p\` where \`p\`.\`post_type\` = ? and \`p\`.\`post_status\` not in (?, ?, ?, ?) and \`p\`.\`ID\` in (select \`i\`.\`order_id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?)) order by \`p\`.\`post_date_gmt\` desc, \`p\`.\`ID\` desc 
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select distinct \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and \`i\`.\`order_id\` in (?) order by \`i\`.\`order_item_id\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > MariaDB > write 1`] = `

        select t.table_name as \`table_name\`, t.engine as \`engine\`,
          c.column_name as \`column_name\`, c.data_type as \`data_type\`,
          c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`,
          c.character_set_name as \`charset\`
        from information_schema.tables as t
        join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name
        where t.table_schema = database() and t.table_name in (?)
begin
commit
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select \`post_status\` as \`status\` from \`wp_posts\` where \`ID\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
update \`wp_woocommerce_order_itemmeta\` set \`meta_value\` = ? where \`meta_id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > SQLite > find 1`] = `
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "meta_id" desc
select "post_status" as "status" from "wp_posts" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > SQLite > find an item 1`] = `
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "meta_id" desc
select "post_status" as "status" from "wp_posts" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > SQLite > list 1`] = `

        select count(*) as number from (select 1 as one from "wp_woocommerce_order_itemmeta" as m where m.meta_key in (?, ?, ?) limit ?) as w
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select "p"."ID" as "id", "p"."post_status" as "status", cast(p.post_date_gmt as char) as "created", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "mail", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "first", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "last" from "wp_posts" as "p" where "p"."post_type" = ? and "p"."post_status" not in (?, ?, ?, ?) and "p"."ID" in (select "i"."order_id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?)) order by "p"."post_date_gmt" desc, "p"."ID" desc limit ? offset ?
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "meta_id" desc
select count(*) as "total" from "wp_posts" as "p" where "p"."post_type" = ? and "p"."post_status" not in (?, ?, ?, ?) and "p"."ID" in (select "i"."order_id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?))
select distinct "i"."order_id" as "order", "i"."order_item_id" as "id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and "i"."order_id" in (?) order by "i"."order_item_id"
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > SQLite > list of ids 1`] = `
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select "p"."ID" as "id", "p"."post_status" as "status", cast(p.post_date_gmt as char) as "created", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "mail", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "first", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "last" from "wp_posts" as "p" where "p"."post_type" = ? and "p"."post_status" not in (?, ?, ?, ?) and (select count(*) as "items" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and i.order_id = "p"."ID") > 0 and "p"."ID" in (?, ?) order by "p"."post_date_gmt" desc, "p"."ID" desc limit ? offset ?
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "meta_id" desc
select count(*) as "total" from "wp_posts" as "p" where "p"."post_type" = ? and "p"."post_status" not in (?, ?, ?, ?) and (select count(*) as "items" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and i.order_id = "p"."ID") > 0 and "p"."ID" in (?, ?)
select distinct "i"."order_id" as "order", "i"."order_item_id" as "id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and "i"."order_id" in (?) order by "i"."order_item_id"
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > SQLite > search 1`] = `
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select "p"."ID" as "id", "p"."post_status" as "status", cast(p.post_date_gmt as char) as "created", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "mail", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "first", (select min(substr("x"."meta_value", 1, 1000)) from "wp_postmeta" as x
      where x.post_id = p.ID and x.meta_key = ?) as "last" from "wp_posts" as "p" where "p"."post_type" = ? and "p"."post_status" not in (?, ?, ?, ?) and "p"."ID" in (select "i"."order_id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?)) order by "p"."post_date_gmt" desc, "p"."ID" desc 
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "meta_id" desc
select distinct "i"."order_id" as "order", "i"."order_item_id" as "id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and "i"."order_id" in (?) order by "i"."order_item_id"
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in posts > SQLite > write 1`] = `

        select m.name as table_name, null as engine, c.name as column_name, c.type as data_type,
          null as chars, null as bytes, null as charset
        from sqlite_master as m join pragma_table_info(m.name) as c
        where m.type = 'table' and m.name in (?)
begin immediate
commit
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "meta_id" desc
select "post_status" as "status" from "wp_posts" where "ID" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
update "wp_woocommerce_order_itemmeta" set "meta_value" = ? where "meta_id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > MariaDB > find 1`] = `
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`order_id\`, \`meta_key\`, \`meta_value\` from \`wp_wc_orders_meta\` where \`order_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`id\` desc
select \`status\` from \`wp_wc_orders\` where \`id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > MariaDB > find an item 1`] = `
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`order_id\`, \`meta_key\`, \`meta_value\` from \`wp_wc_orders_meta\` where \`order_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`id\` desc
select \`status\` from \`wp_wc_orders\` where \`id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > MariaDB > list 1`] = `

        select count(*) as number from (select 1 as one from \`wp_woocommerce_order_itemmeta\` as m where m.meta_key in (?, ?, ?) limit ?) as w
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select \`o\`.\`id\`, \`o\`.\`status\`, \`o\`.\`billing_email\` as \`mail\`, substr(\`a\`.\`first_name\`, 1, 1000) as \`first\`, substr(\`a\`.\`last_name\`, 1, 1000) as \`last\`, cast(o.date_created_gmt as char) as \`created\` from \`wp_wc_orders\` as \`o\` left join \`wp_wc_order_addresses\` as \`a\` on \`a\`.\`order_id\` = \`o\`.\`id\` and \`a\`.\`address_type\` = ? where \`o\`.\`type\` = ? and \`o\`.\`status\` not in (?, ?, ?, ?) and \`o\`.\`id\` in (select \`i\`.\`order_id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?)) order by \`o\`.\`date_created_gmt\` desc, \`o\`.\`id\` desc limit ? offset ?
select \`order_id\`, \`meta_key\`, \`meta_value\` from \`wp_wc_orders_meta\` where \`order_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`id\` desc
select count(*) as \`total\` from \`wp_wc_orders\` as \`o\` left join \`wp_wc_order_addresses\` as \`a\` on \`a\`.\`order_id\` = \`o\`.\`id\` and \`a\`.\`address_type\` = ? where \`o\`.\`type\` = ? and \`o\`.\`status\` not in (?, ?, ?, ?) and \`o\`.\`id\` in (select \`i\`.\`order_id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?))
select distinct \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and \`i\`.\`order_id\` in (?) order by \`i\`.\`order_item_id\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > MariaDB > list of ids 1`] = `
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select \`o\`.\`id\`, \`o\`.\`status\`, \`o\`.\`billing_email\` as \`mail\`, substr(\`a\`.\`first_name\`, 1, 1000) as \`first\`, substr(\`a\`.\`last_name\`, 1, 1000) as \`last\`, cast(o.date_created_gmt as char) as \`created\` from \`wp_wc_orders\` as \`o\` left join \`wp_wc_order_addresses\` as \`a\` on \`a\`.\`order_id\` = \`o\`.\`id\` and \`a\`.\`address_type\` = ? where \`o\`.\`type\` = ? and \`o\`.\`status\` not in (?, ?, ?, ?) and (select count(*) as \`items\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and i.order_id = \`o\`.\`id\`) > 0 and \`o\`.\`id\` in (?, ?) order by \`o\`.\`date_created_gmt\` desc, \`o\`.\`id\` desc limit ? offset ?
select \`order_id\`, \`meta_key\`, \`meta_value\` from \`wp_wc_orders_meta\` where \`order_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`id\` desc
select count(*) as \`total\` from \`wp_wc_orders\` as \`o\` left join \`wp_wc_order_addresses\` as \`a\` on \`a\`.\`order_id\` = \`o\`.\`id\` and \`a\`.\`address_type\` = ? where \`o\`.\`type\` = ? and \`o\`.\`status\` not in (?, ?, ?, ?) and (select count(*) as \`items\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and i.order_id = \`o\`.\`id\`) > 0 and \`o\`.\`id\` in (?, ?)
select distinct \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and \`i\`.\`order_id\` in (?) order by \`i\`.\`order_item_id\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > MariaDB > search 1`] = `
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select \`o\`.\`id\`, \`o\`.\`status\`, \`o\`.\`billing_email\` as \`mail\`, substr(\`a\`.\`first_name\`, 1, 1000) as \`first\`, substr(\`a\`.\`last_name\`, 1, 1000) as \`last\`, cast(o.date_created_gmt as char) as \`created\` from \`wp_wc_orders\` as \`o\` left join \`wp_wc_order_addresses\` as \`a\` on \`a\`.\`order_id\` = \`o\`.\`id\` and \`a\`.\`address_type\` = ? where \`o\`.\`type\` = ? and \`o\`.\`status\` not in (?, ?, ?, ?) and \`o\`.\`id\` in (select \`i\`.\`order_id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?)) order by \`o\`.\`date_created_gmt\` desc, \`o\`.\`id\` desc 
select \`order_id\`, \`meta_key\`, \`meta_value\` from \`wp_wc_orders_meta\` where \`order_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`id\` desc
select distinct \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`id\` from \`wp_woocommerce_order_items\` as \`i\` inner join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` where \`i\`.\`order_item_type\` = ? and \`m\`.\`meta_key\` in (?, ?, ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) and \`i\`.\`order_id\` in (?) order by \`i\`.\`order_item_id\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > MariaDB > write 1`] = `

        select t.table_name as \`table_name\`, t.engine as \`engine\`,
          c.column_name as \`column_name\`, c.data_type as \`data_type\`,
          c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`,
          c.character_set_name as \`charset\`
        from information_schema.tables as t
        join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name
        where t.table_schema = database() and t.table_name in (?)
begin
commit
select \`i\`.\`order_id\` as \`order\`, \`i\`.\`order_item_id\` as \`item\`, \`i\`.\`order_item_name\` as \`name\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` not in (?, ?, ?) and (\`m\`.\`meta_key\` in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`m\`.\`meta_id\` as \`row\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\`
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`order_id\`, \`meta_key\`, \`meta_value\` from \`wp_wc_orders_meta\` where \`order_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?) order by \`id\` desc
select \`status\` from \`wp_wc_orders\` where \`id\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
update \`wp_woocommerce_order_itemmeta\` set \`meta_value\` = ? where \`meta_id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > SQLite > find 1`] = `
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "order_id", "meta_key", "meta_value" from "wp_wc_orders_meta" where "order_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "id" desc
select "status" from "wp_wc_orders" where "id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > SQLite > find an item 1`] = `
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "order_id", "meta_key", "meta_value" from "wp_wc_orders_meta" where "order_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "id" desc
select "status" from "wp_wc_orders" where "id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > SQLite > list 1`] = `

        select count(*) as number from (select 1 as one from "wp_woocommerce_order_itemmeta" as m where m.meta_key in (?, ?, ?) limit ?) as w
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select "o"."id", "o"."status", "o"."billing_email" as "mail", substr("a"."first_name", 1, 1000) as "first", substr("a"."last_name", 1, 1000) as "last", cast(o.date_created_gmt as char) as "created" from "wp_wc_orders" as "o" left join "wp_wc_order_addresses" as "a" on "a"."order_id" = "o"."id" and "a"."address_type" = ? where "o"."type" = ? and "o"."status" not in (?, ?, ?, ?) and "o"."id" in (select "i"."order_id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?)) order by "o"."date_created_gmt" desc, "o"."id" desc limit ? offset ?
select "order_id", "meta_key", "meta_value" from "wp_wc_orders_meta" where "order_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "id" desc
select count(*) as "total" from "wp_wc_orders" as "o" left join "wp_wc_order_addresses" as "a" on "a"."order_id" = "o"."id" and "a"."address_type" = ? where "o"."type" = ? and "o"."status" not in (?, ?, ?, ?) and "o"."id" in (select "i"."order_id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?))
select distinct "i"."order_id" as "order", "i"."order_item_id" as "id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and "i"."order_id" in (?) order by "i"."order_item_id"
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > SQLite > list of ids 1`] = `
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select "o"."id", "o"."status", "o"."billing_email" as "mail", substr("a"."first_name", 1, 1000) as "first", substr("a"."last_name", 1, 1000) as "last", cast(o.date_created_gmt as char) as "created" from "wp_wc_orders" as "o" left join "wp_wc_order_addresses" as "a" on "a"."order_id" = "o"."id" and "a"."address_type" = ? where "o"."type" = ? and "o"."status" not in (?, ?, ?, ?) and (select count(*) as "items" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and i.order_id = "o"."id") > 0 and "o"."id" in (?, ?) order by "o"."date_created_gmt" desc, "o"."id" desc limit ? offset ?
select "order_id", "meta_key", "meta_value" from "wp_wc_orders_meta" where "order_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "id" desc
select count(*) as "total" from "wp_wc_orders" as "o" left join "wp_wc_order_addresses" as "a" on "a"."order_id" = "o"."id" and "a"."address_type" = ? where "o"."type" = ? and "o"."status" not in (?, ?, ?, ?) and (select count(*) as "items" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and i.order_id = "o"."id") > 0 and "o"."id" in (?, ?)
select distinct "i"."order_id" as "order", "i"."order_item_id" as "id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and "i"."order_id" in (?) order by "i"."order_item_id"
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > SQLite > search 1`] = `
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select "o"."id", "o"."status", "o"."billing_email" as "mail", substr("a"."first_name", 1, 1000) as "first", substr("a"."last_name", 1, 1000) as "last", cast(o.date_created_gmt as char) as "created" from "wp_wc_orders" as "o" left join "wp_wc_order_addresses" as "a" on "a"."order_id" = "o"."id" and "a"."address_type" = ? where "o"."type" = ? and "o"."status" not in (?, ?, ?, ?) and "o"."id" in (select "i"."order_id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?)) order by "o"."date_created_gmt" desc, "o"."id" desc 
select "order_id", "meta_key", "meta_value" from "wp_wc_orders_meta" where "order_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "id" desc
select distinct "i"."order_id" as "order", "i"."order_item_id" as "id" from "wp_woocommerce_order_items" as "i" inner join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" where "i"."order_item_type" = ? and "m"."meta_key" in (?, ?, ?) and "m"."meta_value" not in (?, ?, ?, ?) and "i"."order_id" in (?) order by "i"."order_item_id"
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of a shop that keeps them in tables > SQLite > write 1`] = `

        select m.name as table_name, null as engine, c.name as column_name, c.type as data_type,
          null as chars, null as bytes, null as charset
        from sqlite_master as m join pragma_table_info(m.name) as c
        where m.type = 'table' and m.name in (?)
begin immediate
commit
select "i"."order_id" as "order", "i"."order_item_id" as "item", "i"."order_item_name" as "name", "m"."meta_key" as "key", "m"."meta_value" as "value" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" not in (?, ?, ?) and ("m"."meta_key" in (?, ?, ?) or m.meta_key not like '!_%' escape '!') and length(m.meta_value) <= ? where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "m"."meta_id" as "row" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id"
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "order_id", "meta_key", "meta_value" from "wp_wc_orders_meta" where "order_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?) order by "id" desc
select "status" from "wp_wc_orders" where "id" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
update "wp_woocommerce_order_itemmeta" set "meta_value" = ? where "meta_id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > MariaDB > find 1`] = `
select \`e\`.\`form_id\`, \`d\`.\`display_meta\` from \`wp_gf_entry\` as \`e\` left join \`wp_gf_form_meta\` as \`d\` on \`d\`.\`form_id\` = \`e\`.\`form_id\` where \`e\`.\`id\` = ?
select \`id\`, \`meta_key\`, \`meta_value\` from \`wp_gf_entry_meta\` where \`entry_id\` = ? and \`meta_key\` in (?, ?) order by \`id\`
select \`status\`, \`payment_status\` as \`payment\` from \`wp_gf_entry\` where \`id\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > MariaDB > list 1`] = `

        select count(*) as number from (select 1 as one from \`wp_gf_entry\` as x limit ?) as w
select \`entry_id\`, \`meta_key\`, substr(\`meta_value\`, 1, 1000) as \`meta_value\` from \`wp_gf_entry_meta\` where \`meta_key\` in (?) and \`entry_id\` in (?)
select \`form_id\`, \`display_meta\` from \`wp_gf_form_meta\` where \`display_meta\` like ?
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
select distinct \`e\`.\`id\`, \`e\`.\`form_id\`, \`e\`.\`status\`, \`e\`.\`payment_status\` as \`payment\`, cast(e.date_created as char) as \`created\` from \`wp_gf_entry\` as \`e\` inner join \`wp_gf_entry_meta\` as \`m\` on \`m\`.\`entry_id\` = \`e\`.\`id\` where \`e\`.\`status\` = ? and (\`e\`.\`form_id\` = ? and \`m\`.\`meta_key\` = ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) order by \`created\` desc, \`e\`.\`id\` desc limit ? offset ?
select distinct count(distinct e.id) as \`number\` from \`wp_gf_entry\` as \`e\` inner join \`wp_gf_entry_meta\` as \`m\` on \`m\`.\`entry_id\` = \`e\`.\`id\` where \`e\`.\`status\` = ? and (\`e\`.\`form_id\` = ? and \`m\`.\`meta_key\` = ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > MariaDB > search 1`] = `
select \`entry_id\`, \`meta_key\`, substr(\`meta_value\`, 1, 1000) as \`meta_value\` from \`wp_gf_entry_meta\` where \`meta_key\` in (?) and \`form_id\` in (?)
select \`form_id\`, \`display_meta\` from \`wp_gf_form_meta\` where \`display_meta\` like ?
select distinct \`e\`.\`id\`, \`e\`.\`form_id\`, \`e\`.\`status\`, \`e\`.\`payment_status\` as \`payment\`, cast(e.date_created as char) as \`created\` from \`wp_gf_entry\` as \`e\` inner join \`wp_gf_entry_meta\` as \`m\` on \`m\`.\`entry_id\` = \`e\`.\`id\` where \`e\`.\`status\` = ? and (\`e\`.\`form_id\` = ? and \`m\`.\`meta_key\` = ?) and \`m\`.\`meta_value\` not in (?, ?, ?, ?) order by \`created\` desc, \`e\`.\`id\` desc
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > MariaDB > write 1`] = `

        select t.table_name as \`table_name\`, t.engine as \`engine\`,
          c.column_name as \`column_name\`, c.data_type as \`data_type\`,
          c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`,
          c.character_set_name as \`charset\`
        from information_schema.tables as t
        join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name
        where t.table_schema = database() and t.table_name in (?)
begin
commit
select \`e\`.\`form_id\`, \`d\`.\`display_meta\` from \`wp_gf_entry\` as \`e\` left join \`wp_gf_form_meta\` as \`d\` on \`d\`.\`form_id\` = \`e\`.\`form_id\` where \`e\`.\`id\` = ?
select \`e\`.\`form_id\`, \`d\`.\`display_meta\` from \`wp_gf_entry\` as \`e\` left join \`wp_gf_form_meta\` as \`d\` on \`d\`.\`form_id\` = \`e\`.\`form_id\` where \`e\`.\`id\` = ?
select \`id\`, \`meta_key\`, \`meta_value\` from \`wp_gf_entry_meta\` where \`entry_id\` = ? and \`meta_key\` in (?, ?) order by \`id\`
select \`id\`, \`meta_key\`, \`meta_value\` from \`wp_gf_entry_meta\` where \`entry_id\` = ? and \`meta_key\` in (?, ?) order by \`id\`
select \`status\`, \`payment_status\` as \`payment\` from \`wp_gf_entry\` where \`id\` = ?
update \`wp_gf_entry_meta\` set \`meta_value\` = ? where \`id\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > SQLite > find 1`] = `
select "e"."form_id", "d"."display_meta" from "wp_gf_entry" as "e" left join "wp_gf_form_meta" as "d" on "d"."form_id" = "e"."form_id" where "e"."id" = ?
select "id", "meta_key", "meta_value" from "wp_gf_entry_meta" where "entry_id" = ? and "meta_key" in (?, ?) order by "id"
select "status", "payment_status" as "payment" from "wp_gf_entry" where "id" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > SQLite > list 1`] = `

        select count(*) as number from (select 1 as one from "wp_gf_entry" as x limit ?) as w
select "entry_id", "meta_key", substr("meta_value", 1, 1000) as "meta_value" from "wp_gf_entry_meta" where "meta_key" in (?) and "entry_id" in (?)
select "form_id", "display_meta" from "wp_gf_form_meta" where "display_meta" like ?
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
select distinct "e"."id", "e"."form_id", "e"."status", "e"."payment_status" as "payment", cast(e.date_created as char) as "created" from "wp_gf_entry" as "e" inner join "wp_gf_entry_meta" as "m" on "m"."entry_id" = "e"."id" where "e"."status" = ? and ("e"."form_id" = ? and "m"."meta_key" = ?) and "m"."meta_value" not in (?, ?, ?, ?) order by "created" desc, "e"."id" desc limit ? offset ?
select distinct count(distinct e.id) as "number" from "wp_gf_entry" as "e" inner join "wp_gf_entry_meta" as "m" on "m"."entry_id" = "e"."id" where "e"."status" = ? and ("e"."form_id" = ? and "m"."meta_key" = ?) and "m"."meta_value" not in (?, ?, ?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > SQLite > search 1`] = `
select "entry_id", "meta_key", substr("meta_value", 1, 1000) as "meta_value" from "wp_gf_entry_meta" where "meta_key" in (?) and "form_id" in (?)
select "form_id", "display_meta" from "wp_gf_form_meta" where "display_meta" like ?
select distinct "e"."id", "e"."form_id", "e"."status", "e"."payment_status" as "payment", cast(e.date_created as char) as "created" from "wp_gf_entry" as "e" inner join "wp_gf_entry_meta" as "m" on "m"."entry_id" = "e"."id" where "e"."status" = ? and ("e"."form_id" = ? and "m"."meta_key" = ?) and "m"."meta_value" not in (?, ?, ?, ?) order by "created" desc, "e"."id" desc
`

exports[`test/src/db/sql-routes.test.ts > TAP > orders of forms > SQLite > write 1`] = `

        select m.name as table_name, null as engine, c.name as column_name, c.type as data_type,
          null as chars, null as bytes, null as charset
        from sqlite_master as m join pragma_table_info(m.name) as c
        where m.type = 'table' and m.name in (?)
begin immediate
commit
select "e"."form_id", "d"."display_meta" from "wp_gf_entry" as "e" left join "wp_gf_form_meta" as "d" on "d"."form_id" = "e"."form_id" where "e"."id" = ?
select "e"."form_id", "d"."display_meta" from "wp_gf_entry" as "e" left join "wp_gf_form_meta" as "d" on "d"."form_id" = "e"."form_id" where "e"."id" = ?
select "id", "meta_key", "meta_value" from "wp_gf_entry_meta" where "entry_id" = ? and "meta_key" in (?, ?) order by "id"
select "id", "meta_key", "meta_value" from "wp_gf_entry_meta" where "entry_id" = ? and "meta_key" in (?, ?) order by "id"
select "status", "payment_status" as "payment" from "wp_gf_entry" where "id" = ?
update "wp_gf_entry_meta" set "meta_value" = ? where "id" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > create 1`] = `
begin
commit
insert into \`wp_svc_pricing_rules\` (\`name\`, \`data\`) values (?, ?)
select \`ID\`, \`name\`, \`data\` from \`wp_svc_pricing_rules\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > find 1`] = `
select \`ID\`, \`name\`, \`data\` from \`wp_svc_pricing_rules\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > list 1`] = `
select \`r\`.\`ID\`, \`r\`.\`name\`, \`r\`.\`data\` from \`wp_svc_pricing_rules\` as \`r\` inner join (select \`r\`.\`ID\` from \`wp_svc_pricing_rules\` as \`r\` order by \`r\`.\`ID\` asc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`r\`.\`ID\` order by \`r\`.\`ID\` asc
select count(*) as \`total\` from \`wp_svc_pricing_rules\` as \`r\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > list of ids 1`] = `
select \`r\`.\`ID\`, \`r\`.\`name\`, \`r\`.\`data\` from \`wp_svc_pricing_rules\` as \`r\` inner join (select \`r\`.\`ID\` from \`wp_svc_pricing_rules\` as \`r\` where \`r\`.\`ID\` in (?, ?) order by \`r\`.\`ID\` asc limit ? offset ?) as \`page\` on \`page\`.\`ID\` = \`r\`.\`ID\` order by \`r\`.\`ID\` asc
select count(*) as \`total\` from \`wp_svc_pricing_rules\` as \`r\` where \`r\`.\`ID\` in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > remove 1`] = `
begin
commit
delete from \`wp_svc_pricing_rules\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_pricing_rules\` where \`ID\` = ? for update
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > search 1`] = `
select \`r\`.\`ID\`, \`r\`.\`name\` from \`wp_svc_pricing_rules\` as \`r\` where \`r\`.\`name\` collate utf8mb4_general_ci like ? escape '!' order by \`r\`.\`ID\` asc
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > MariaDB > update 1`] = `
begin
commit
select \`ID\`, \`name\`, \`data\` from \`wp_svc_pricing_rules\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_pricing_rules\` where \`ID\` = ? for update
update \`wp_svc_pricing_rules\` set \`name\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > create 1`] = `
begin immediate
commit
insert into "wp_svc_pricing_rules" ("name", "data") values (?, ?)
select "ID", "name", "data" from "wp_svc_pricing_rules" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > find 1`] = `
select "ID", "name", "data" from "wp_svc_pricing_rules" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > list 1`] = `
select "r"."ID", "r"."name", "r"."data" from "wp_svc_pricing_rules" as "r" inner join (select "r"."ID" from "wp_svc_pricing_rules" as "r" order by "r"."ID" asc limit ? offset ?) as "page" on "page"."ID" = "r"."ID" order by "r"."ID" asc
select count(*) as "total" from "wp_svc_pricing_rules" as "r"
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > list of ids 1`] = `
select "r"."ID", "r"."name", "r"."data" from "wp_svc_pricing_rules" as "r" inner join (select "r"."ID" from "wp_svc_pricing_rules" as "r" where "r"."ID" in (?, ?) order by "r"."ID" asc limit ? offset ?) as "page" on "page"."ID" = "r"."ID" order by "r"."ID" asc
select count(*) as "total" from "wp_svc_pricing_rules" as "r" where "r"."ID" in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > remove 1`] = `
begin immediate
commit
delete from "wp_svc_pricing_rules" where "ID" = ?
select "ID", "name", "data" from "wp_svc_pricing_rules" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > search 1`] = `
select "r"."ID", "r"."name" from "wp_svc_pricing_rules" as "r" where "r"."name" like ? escape '!' order by "r"."ID" asc
`

exports[`test/src/db/sql-routes.test.ts > TAP > pricing rules > SQLite > update 1`] = `
begin immediate
commit
select "ID", "name", "data" from "wp_svc_pricing_rules" where "ID" = ?
select "ID", "name", "data" from "wp_svc_pricing_rules" where "ID" = ?
update "wp_svc_pricing_rules" set "name" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > create 1`] = `
begin
commit
insert into \`wp_svc_print_profiles\` (\`name\`, \`data\`, \`is_master\`) values (?, ?, ?)
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > create the master 1`] = `
begin
commit
insert into \`wp_svc_print_profiles\` (\`name\`, \`data\`, \`is_master\`) values (?, ?, ?)
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
update \`wp_svc_print_profiles\` set \`is_master\` = case when \`ID\` = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > duplicate 1`] = `
begin
commit
insert into \`wp_svc_print_profiles\` (\`data\`, \`name\`, \`is_master\`) values (?, ?, ?)
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > find 1`] = `
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > find the master 1`] = `
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > list 1`] = `
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\` from \`wp_svc_print_profiles\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > list of ids with data 1`] = `
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > remove 1`] = `
begin
commit
delete from \`wp_svc_print_profiles\` where \`ID\` = ?
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ? for update
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > update 1`] = `
begin
commit
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ? for update
update \`wp_svc_print_profiles\` set \`name\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > MariaDB > update of the master 1`] = `
begin
commit
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`is_master\` from \`wp_svc_print_profiles\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_print_profiles\` where \`ID\` = ? for update
update \`wp_svc_print_profiles\` set \`is_master\` = case when \`ID\` = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > create 1`] = `
begin immediate
commit
insert into "wp_svc_print_profiles" ("name", "data", "is_master") values (?, ?, ?)
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > create the master 1`] = `
begin immediate
commit
insert into "wp_svc_print_profiles" ("name", "data", "is_master") values (?, ?, ?)
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
update "wp_svc_print_profiles" set "is_master" = case when "ID" = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > duplicate 1`] = `
begin immediate
commit
insert into "wp_svc_print_profiles" ("data", "name", "is_master") values (?, ?, ?)
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > find 1`] = `
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > find the master 1`] = `
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > list 1`] = `
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name" from "wp_svc_print_profiles"
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > list of ids with data 1`] = `
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > remove 1`] = `
begin immediate
commit
delete from "wp_svc_print_profiles" where "ID" = ?
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > update 1`] = `
begin immediate
commit
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
update "wp_svc_print_profiles" set "name" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > print profiles > SQLite > update of the master 1`] = `
begin immediate
commit
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "is_master" from "wp_svc_print_profiles" order by "ID"
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
select "ID", "name", "data" from "wp_svc_print_profiles" where "ID" = ?
update "wp_svc_print_profiles" set "is_master" = case when "ID" = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > create 1`] = `
begin
commit
insert into \`wp_svc_orders\` (\`customer_name\`, \`customer_mail\`, \`views\`, \`print_order\`, \`created_date\`) values (?, ?, ?, ?, current_timestamp)
select \`ID\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\`, \`views\` from \`wp_svc_orders\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > find 1`] = `
select \`ID\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\`, \`views\` from \`wp_svc_orders\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > list 1`] = `
select \`ID\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\` from \`wp_svc_orders\` order by \`ID\` desc limit ? offset ?
select count(*) as \`total\` from \`wp_svc_orders\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > list as orders 1`] = `

        select count(*) as number from (select 1 as one from \`wp_svc_orders\` as x limit ?) as w
select \`ID\` as \`id\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\` from \`wp_svc_orders\` where \`views\` not in (?, ?, ?) order by \`ID\` desc
select \`j\`.\`details\`, \`j\`.\`data\` from \`wp_svc_print_job_steps\` as \`s\` inner join \`wp_svc_print_jobs\` as \`j\` on \`j\`.\`ID\` = \`s\`.\`job_id\` where \`s\`.\`order_ref\` in (?) and \`j\`.\`status\` = ? order by \`j\`.\`ID\`
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > list of ids with views 1`] = `
select \`ID\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\` from \`wp_svc_orders\` where \`ID\` in (?, ?) order by \`ID\` desc limit ? offset ?
select count(*) as \`total\` from \`wp_svc_orders\` where \`ID\` in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > read as an order 1`] = `
select \`ID\` from \`wp_svc_orders\` where \`ID\` = ?
select \`views\` from \`wp_svc_orders\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > remove as an order 1`] = `
begin
commit
delete from \`wp_svc_orders\` where \`ID\` = ?
select \`views\` from \`wp_svc_orders\` where \`ID\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > update 1`] = `
begin
commit
select \`ID\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\`, \`views\` from \`wp_svc_orders\` where \`ID\` = ?
select \`ID\`, \`customer_name\`, \`customer_mail\`, unix_timestamp(\`created_date\`) as \`created\`, \`views\` from \`wp_svc_orders\` where \`ID\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
update \`wp_svc_orders\` set \`customer_name\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > MariaDB > write as an order 1`] = `
begin
commit
select \`ID\` from \`wp_svc_orders\` where \`ID\` = ?
select \`views\` from \`wp_svc_orders\` where \`ID\` = ?
select \`views\` from \`wp_svc_orders\` where \`ID\` = ?
update \`wp_svc_order_index\` set \`is_stale\` = ?, \`version\` = ? where \`source\` = ? and \`order_id\` in (?)
update \`wp_svc_orders\` set \`views\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > create 1`] = `
begin immediate
commit
insert into "wp_svc_orders" ("customer_name", "customer_mail", "views", "print_order", "created_date") values (?, ?, ?, ?, current_timestamp)
select "ID", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created", "views" from "wp_svc_orders" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > find 1`] = `
select "ID", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created", "views" from "wp_svc_orders" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > list 1`] = `
select "ID", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created" from "wp_svc_orders" order by "ID" desc limit ? offset ?
select count(*) as "total" from "wp_svc_orders"
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > list as orders 1`] = `

        select count(*) as number from (select 1 as one from "wp_svc_orders" as x limit ?) as w
select "ID" as "id", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created" from "wp_svc_orders" where "views" not in (?, ?, ?) order by "ID" desc
select "j"."details", "j"."data" from "wp_svc_print_job_steps" as "s" inner join "wp_svc_print_jobs" as "j" on "j"."ID" = "s"."job_id" where "s"."order_ref" in (?) and "j"."status" = ? order by "j"."ID"
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > list of ids with views 1`] = `
select "ID", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created" from "wp_svc_orders" where "ID" in (?, ?) order by "ID" desc limit ? offset ?
select count(*) as "total" from "wp_svc_orders" where "ID" in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > read as an order 1`] = `
select "ID" from "wp_svc_orders" where "ID" = ?
select "views" from "wp_svc_orders" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > remove as an order 1`] = `
begin immediate
commit
delete from "wp_svc_orders" where "ID" = ?
select "views" from "wp_svc_orders" where "ID" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > update 1`] = `
begin immediate
commit
select "ID", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created", "views" from "wp_svc_orders" where "ID" = ?
select "ID", "customer_name", "customer_mail", cast(strftime('%s', "created_date") as integer) as "created", "views" from "wp_svc_orders" where "ID" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
update "wp_svc_orders" set "customer_name" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > shortcode orders > SQLite > write as an order 1`] = `
begin immediate
commit
select "ID" from "wp_svc_orders" where "ID" = ?
select "views" from "wp_svc_orders" where "ID" = ?
select "views" from "wp_svc_orders" where "ID" = ?
update "wp_svc_order_index" set "is_stale" = ?, "version" = ? where "source" = ? and "order_id" in (?)
update "wp_svc_orders" set "views" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > create 1`] = `
begin
commit
insert into \`wp_svc_user_interfaces\` (\`data\`, \`name\`, \`is_default\`) values (?, ?, ?)
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > find 1`] = `
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > find the default 1`] = `
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > first list 1`] = `
begin
commit
insert into \`wp_svc_user_interfaces\` (\`name\`, \`data\`, \`is_default\`) values (?, ?, ?)
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\` from \`wp_svc_user_interfaces\`
select \`ID\`, \`name\` from \`wp_svc_user_interfaces\`
update \`wp_svc_user_interfaces\` set \`is_default\` = case when \`ID\` = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > list of ids 1`] = `
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\` from \`wp_svc_user_interfaces\` where \`ID\` in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > remove 1`] = `
begin
commit
delete from \`wp_svc_user_interfaces\` where \`ID\` = ?
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ? for update
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > update 1`] = `
begin
commit
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ? for update
update \`wp_svc_user_interfaces\` set \`name\` = ? where \`ID\` = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > MariaDB > update of the default 1`] = `
begin
commit
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`is_default\` from \`wp_svc_user_interfaces\` order by \`ID\`
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ?
select \`ID\`, \`name\`, \`data\` from \`wp_svc_user_interfaces\` where \`ID\` = ? for update
update \`wp_svc_user_interfaces\` set \`is_default\` = case when \`ID\` = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > create 1`] = `
begin immediate
commit
insert into "wp_svc_user_interfaces" ("data", "name", "is_default") values (?, ?, ?)
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > find 1`] = `
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > find the default 1`] = `
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > first list 1`] = `
begin immediate
commit
insert into "wp_svc_user_interfaces" ("name", "data", "is_default") values (?, ?, ?)
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name" from "wp_svc_user_interfaces"
select "ID", "name" from "wp_svc_user_interfaces"
update "wp_svc_user_interfaces" set "is_default" = case when "ID" = ? then 1 else 0 end
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > list of ids 1`] = `
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name" from "wp_svc_user_interfaces" where "ID" in (?, ?)
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > remove 1`] = `
begin immediate
commit
delete from "wp_svc_user_interfaces" where "ID" = ?
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > update 1`] = `
begin immediate
commit
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
update "wp_svc_user_interfaces" set "name" = ? where "ID" = ?
`

exports[`test/src/db/sql-routes.test.ts > TAP > user interfaces > SQLite > update of the default 1`] = `
begin immediate
commit
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "is_default" from "wp_svc_user_interfaces" order by "ID"
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
select "ID", "name", "data" from "wp_svc_user_interfaces" where "ID" = ?
update "wp_svc_user_interfaces" set "is_default" = case when "ID" = ? then 1 else 0 end
`
