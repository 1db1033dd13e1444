// The tables of Gravity Forms 2.9 from which orders of forms are read, as it creates them.
import type { CmsTable } from './cms-tables.ts'

export const formTables = {
  gf_form: {
    columns: {
      id: 'mediumint(10) unsigned NOT NULL auto_increment',
      title: 'varchar(150) NOT NULL',
      date_created: 'datetime NOT NULL',
      date_updated: 'datetime NULL',
      is_active: "tinyint(10) NOT NULL default '1'",
      is_trash: "tinyint(10) NOT NULL default '0'",
    },
    keys: ['PRIMARY KEY (id)'],
  },
  gf_form_meta: {
    columns: {
      form_id: 'mediumint(10) unsigned NOT NULL',
      display_meta: 'longtext',
      entries_grid_meta: 'longtext',
      confirmations: 'longtext',
      notifications: 'longtext',
    },
    keys: ['PRIMARY KEY (form_id)'],
  },
  gf_entry: {
    columns: {
      id: 'int(10) unsigned NOT NULL auto_increment',
      form_id: 'mediumint(10) unsigned NOT NULL',
      post_id: 'bigint(10) unsigned NULL',
      date_created: 'datetime NOT NULL',
      date_updated: 'datetime NULL',
      is_starred: "tinyint(10) NOT NULL default '0'",
      is_read: "tinyint(10) NOT NULL default '0'",
      ip: 'varchar(39) NOT NULL',
      source_url: "varchar(200) NOT NULL default ''",
      user_agent: "varchar(250) NOT NULL default ''",
      currency: 'varchar(5) NULL',
      payment_status: 'varchar(15) NULL',
      payment_date: 'datetime NULL',
      payment_amount: 'decimal(19,2) NULL',
      payment_method: 'varchar(30) NULL',
      transaction_id: 'varchar(50) NULL',
      is_fulfilled: 'tinyint(10) NULL',
      created_by: 'bigint(10) unsigned NULL',
      transaction_type: 'tinyint(10) NULL',
      status: "varchar(20) NOT NULL default 'active'",
      source_id: 'bigint(10) unsigned NULL',
    },
    keys: ['PRIMARY KEY (id)', 'KEY form_id (form_id)', 'KEY form_id_status (form_id,status)'],
  },
  gf_entry_meta: {
    columns: {
      id: 'bigint(20) unsigned NOT NULL auto_increment',
      form_id: "mediumint(10) unsigned NOT NULL default '0'",
      entry_id: 'bigint(20) unsigned NOT NULL',
      meta_key: 'varchar(255) default NULL',
      meta_value: 'longtext',
      item_index: 'varchar(60) default NULL',
    },
    keys: [
      'PRIMARY KEY (id)',
      'KEY meta_key (meta_key(191))',
      'KEY entry_id (entry_id)',
      'KEY meta_value (meta_value(191))',
    ],
  },
  gf_entry_notes: {
    columns: {
      id: 'int(10) unsigned NOT NULL auto_increment',
      entry_id: 'int(10) unsigned NOT NULL',
      user_name: 'varchar(250) NULL',
      user_id: 'bigint(10) NULL',
      date_created: 'datetime NOT NULL',
      value: 'longtext',
      note_type: 'varchar(50) NULL',
      sub_type: 'varchar(50) NULL',
    },
    keys: ['PRIMARY KEY (id)', 'KEY entry_id (entry_id)', 'KEY entry_user_key (entry_id,user_id)'],
  },
} as const satisfies Record<string, CmsTable>
