/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > MariaDB > first write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
 select t.table_name as \`table_name\`, t.engine as \`engine\`, c.column_name as \`column_name\`, c.data_type as \`data_type\`, c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`, c.character_set_name as \`charset\` from information_schema.tables as t join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name where t.table_schema = database() and t.table_name in (?)
begin
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
insert into \`wp_postmeta\` (\`post_id\`, meta_key, meta_value) values (?, ?, ?)
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
insert into \`wp_postmeta\` (\`post_id\`, meta_key, meta_value) values (?, ?, ?)
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > MariaDB > line of an order 1`] = `
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`i\`.\`order_item_name\` as \`name\`, \`i\`.\`order_id\` as \`orderId\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`post_status\` as \`status\` from \`wp_posts\` where \`ID\` = ?
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?, ?) and \`meta_key\` in (?, ?, ?) order by \`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`post_id\`, \`meta_key\`, substr(\`meta_value\`, 1, 1000) as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select distinct \`item_id\` from \`wp_svc_print_job_steps\` where \`order_ref\` = ?
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > MariaDB > second write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
begin
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
update \`wp_postmeta\` set meta_value = ? where \`meta_id\` = ?
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
update \`wp_postmeta\` set meta_value = ? where \`meta_id\` = ?
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > MySQL > first write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
 select t.table_name as \`table_name\`, t.engine as \`engine\`, c.column_name as \`column_name\`, c.data_type as \`data_type\`, c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`, c.character_set_name as \`charset\` from information_schema.tables as t join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name where t.table_schema = database() and t.table_name in (?)
begin
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
insert into \`wp_postmeta\` (\`post_id\`, meta_key, meta_value) values (?, ?, ?)
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
insert into \`wp_postmeta\` (\`post_id\`, meta_key, meta_value) values (?, ?, ?)
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > MySQL > line of an order 1`] = `
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`i\`.\`order_item_name\` as \`name\`, \`i\`.\`order_id\` as \`orderId\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`post_status\` as \`status\` from \`wp_posts\` where \`ID\` = ?
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`ID\` as \`id\`, \`post_parent\` as \`order\` from \`wp_posts\` where \`post_parent\` in (?) and \`post_type\` = ? and \`post_status\` <> ?
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?, ?) and \`meta_key\` in (?, ?, ?) order by \`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`post_id\`, \`meta_key\`, substr(\`meta_value\`, 1, 1000) as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?) and \`meta_key\` in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) order by \`meta_id\` desc
select distinct \`item_id\` from \`wp_svc_print_job_steps\` where \`order_ref\` = ?
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > MySQL > second write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
begin
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
update \`wp_postmeta\` set meta_value = ? where \`meta_id\` = ?
select \`meta_id\` as id from \`wp_postmeta\` where \`post_id\` = ? and meta_key = ? order by \`meta_id\` limit 1
update \`wp_postmeta\` set meta_value = ? where \`meta_id\` = ?
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > SQLite > first write 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
 select m.name as table_name, null as engine, c.name as column_name, c.type as data_type, null as chars, null as bytes, null as charset from sqlite_master as m join pragma_table_info(m.name) as c where m.type = 'table' and m.name in (?)
begin immediate
select "meta_id" as id from "wp_postmeta" where "post_id" = ? and meta_key = ? order by "meta_id" limit 1
insert into "wp_postmeta" ("post_id", meta_key, meta_value) values (?, ?, ?)
select "meta_id" as id from "wp_postmeta" where "post_id" = ? and meta_key = ? order by "meta_id" limit 1
insert into "wp_postmeta" ("post_id", meta_key, meta_value) values (?, ?, ?)
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > SQLite > line of an order 1`] = `
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "i"."order_item_name" as "name", "i"."order_id" as "orderId" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id" desc
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select "post_status" as "status" from "wp_posts" where "ID" = ?
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select "ID" as "id", "post_parent" as "order" from "wp_posts" where "post_parent" in (?) and "post_type" = ? and "post_status" <> ?
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?, ?) and "meta_key" in (?, ?, ?) order by "meta_id" desc
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select "post_id", "meta_key", substr("meta_value", 1, 1000) as "meta_value" from "wp_postmeta" where "post_id" in (?) and "meta_key" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) order by "meta_id" desc
select distinct "item_id" from "wp_svc_print_job_steps" where "order_ref" = ?
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as posts > SQLite > second write 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
begin immediate
select "meta_id" as id from "wp_postmeta" where "post_id" = ? and meta_key = ? order by "meta_id" limit 1
update "wp_postmeta" set meta_value = ? where "meta_id" = ?
select "meta_id" as id from "wp_postmeta" where "post_id" = ? and meta_key = ? order by "meta_id" limit 1
update "wp_postmeta" set meta_value = ? where "meta_id" = ?
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > MariaDB > first write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
 select t.table_name as \`table_name\`, t.engine as \`engine\`, c.column_name as \`column_name\`, c.data_type as \`data_type\`, c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`, c.character_set_name as \`charset\` from information_schema.tables as t join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name where t.table_schema = database() and t.table_name in (?)
begin
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
insert into \`wp_wc_orders_meta\` (\`order_id\`, meta_key, meta_value) values (?, ?, ?)
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
insert into \`wp_wc_orders_meta\` (\`order_id\`, meta_key, meta_value) values (?, ?, ?)
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > MariaDB > line of an order 1`] = `
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`i\`.\`order_item_name\` as \`name\`, \`i\`.\`order_id\` as \`orderId\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`status\` from \`wp_wc_orders\` where \`id\` = ?
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?, ?) and \`meta_key\` in (?, ?, ?) order by \`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`address_type\`, substr(\`first_name\`, 1, 1000) as \`first_name\`, substr(\`last_name\`, 1, 1000) as \`last_name\`, substr(\`company\`, 1, 1000) as \`company\`, substr(\`address_1\`, 1, 1000) as \`address_1\`, substr(\`address_2\`, 1, 1000) as \`address_2\`, substr(\`city\`, 1, 1000) as \`city\`, substr(\`state\`, 1, 1000) as \`state\`, substr(\`postcode\`, 1, 1000) as \`postcode\`, substr(\`country\`, 1, 1000) as \`country\`, substr(\`email\`, 1, 1000) as \`email\`, substr(\`phone\`, 1, 1000) as \`phone\` from \`wp_wc_order_addresses\` where \`order_id\` = ?
select distinct \`item_id\` from \`wp_svc_print_job_steps\` where \`order_ref\` = ?
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > MariaDB > second write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
begin
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
update \`wp_wc_orders_meta\` set meta_value = ? where \`id\` = ?
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
update \`wp_wc_orders_meta\` set meta_value = ? where \`id\` = ?
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > MySQL > first write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
 select t.table_name as \`table_name\`, t.engine as \`engine\`, c.column_name as \`column_name\`, c.data_type as \`data_type\`, c.character_maximum_length as \`chars\`, c.character_octet_length as \`bytes\`, c.character_set_name as \`charset\` from information_schema.tables as t join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name where t.table_schema = database() and t.table_name in (?)
begin
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
insert into \`wp_wc_orders_meta\` (\`order_id\`, meta_key, meta_value) values (?, ?, ?)
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
insert into \`wp_wc_orders_meta\` (\`order_id\`, meta_key, meta_value) values (?, ?, ?)
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > MySQL > line of an order 1`] = `
select \`i\`.\`order_item_id\` as \`itemId\`, \`m\`.\`meta_key\` as \`key\`, \`m\`.\`meta_value\` as \`value\`, \`i\`.\`order_item_name\` as \`name\`, \`i\`.\`order_id\` as \`orderId\` from \`wp_woocommerce_order_items\` as \`i\` left join \`wp_woocommerce_order_itemmeta\` as \`m\` on \`m\`.\`order_item_id\` = \`i\`.\`order_item_id\` and \`m\`.\`meta_key\` in (?, ?, ?, ?) where \`i\`.\`order_id\` in (?) and \`i\`.\`order_item_type\` = ? order by \`i\`.\`order_item_id\`, \`m\`.\`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`status\` from \`wp_wc_orders\` where \`id\` = ?
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`id\`, \`parent_order_id\` as \`order\` from \`wp_wc_orders\` where \`parent_order_id\` in (?) and \`type\` = ? and \`status\` <> ?
select \`post_id\`, \`meta_key\`, \`meta_value\` as \`meta_value\` from \`wp_postmeta\` where \`post_id\` in (?, ?) and \`meta_key\` in (?, ?, ?) order by \`meta_id\` desc
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
select \`address_type\`, substr(\`first_name\`, 1, 1000) as \`first_name\`, substr(\`last_name\`, 1, 1000) as \`last_name\`, substr(\`company\`, 1, 1000) as \`company\`, substr(\`address_1\`, 1, 1000) as \`address_1\`, substr(\`address_2\`, 1, 1000) as \`address_2\`, substr(\`city\`, 1, 1000) as \`city\`, substr(\`state\`, 1, 1000) as \`state\`, substr(\`postcode\`, 1, 1000) as \`postcode\`, substr(\`country\`, 1, 1000) as \`country\`, substr(\`email\`, 1, 1000) as \`email\`, substr(\`phone\`, 1, 1000) as \`phone\` from \`wp_wc_order_addresses\` where \`order_id\` = ?
select distinct \`item_id\` from \`wp_svc_print_job_steps\` where \`order_ref\` = ?
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > MySQL > second write 1`] = `
select \`option_name\`, \`option_value\` from \`wp_options\` where \`option_name\` in (?, ?)
begin
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
update \`wp_wc_orders_meta\` set meta_value = ? where \`id\` = ?
select \`id\` as id from \`wp_wc_orders_meta\` where \`order_id\` = ? and meta_key = ? order by \`id\` limit 1
update \`wp_wc_orders_meta\` set meta_value = ? where \`id\` = ?
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > SQLite > first write 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
 select m.name as table_name, null as engine, c.name as column_name, c.type as data_type, null as chars, null as bytes, null as charset from sqlite_master as m join pragma_table_info(m.name) as c where m.type = 'table' and m.name in (?)
begin immediate
select "id" as id from "wp_wc_orders_meta" where "order_id" = ? and meta_key = ? order by "id" limit 1
insert into "wp_wc_orders_meta" ("order_id", meta_key, meta_value) values (?, ?, ?)
select "id" as id from "wp_wc_orders_meta" where "order_id" = ? and meta_key = ? order by "id" limit 1
insert into "wp_wc_orders_meta" ("order_id", meta_key, meta_value) values (?, ?, ?)
commit
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > SQLite > line of an order 1`] = `
select "i"."order_item_id" as "itemId", "m"."meta_key" as "key", "m"."meta_value" as "value", "i"."order_item_name" as "name", "i"."order_id" as "orderId" from "wp_woocommerce_order_items" as "i" left join "wp_woocommerce_order_itemmeta" as "m" on "m"."order_item_id" = "i"."order_item_id" and "m"."meta_key" in (?, ?, ?, ?) where "i"."order_id" in (?) and "i"."order_item_type" = ? order by "i"."order_item_id", "m"."meta_id" desc
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select "status" from "wp_wc_orders" where "id" = ?
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select "id", "parent_order_id" as "order" from "wp_wc_orders" where "parent_order_id" in (?) and "type" = ? and "status" <> ?
select "post_id", "meta_key", "meta_value" as "meta_value" from "wp_postmeta" where "post_id" in (?, ?) and "meta_key" in (?, ?, ?) order by "meta_id" desc
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
select "address_type", substr("first_name", 1, 1000) as "first_name", substr("last_name", 1, 1000) as "last_name", substr("company", 1, 1000) as "company", substr("address_1", 1, 1000) as "address_1", substr("address_2", 1, 1000) as "address_2", substr("city", 1, 1000) as "city", substr("state", 1, 1000) as "state", substr("postcode", 1, 1000) as "postcode", substr("country", 1, 1000) as "country", substr("email", 1, 1000) as "email", substr("phone", 1, 1000) as "phone" from "wp_wc_order_addresses" where "order_id" = ?
select distinct "item_id" from "wp_svc_print_job_steps" where "order_ref" = ?
`

exports[`test/src/orders/provider-orders.test.ts > TAP > orders as tables > SQLite > second write 1`] = `
select "option_name", "option_value" from "wp_options" where "option_name" in (?, ?)
begin immediate
select "id" as id from "wp_wc_orders_meta" where "order_id" = ? and meta_key = ? order by "id" limit 1
update "wp_wc_orders_meta" set meta_value = ? where "id" = ?
select "id" as id from "wp_wc_orders_meta" where "order_id" = ? and meta_key = ? order by "id" limit 1
update "wp_wc_orders_meta" set meta_value = ? where "id" = ?
commit
`
