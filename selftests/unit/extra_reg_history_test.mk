extra_reg_history_test_CFLAGS := -O2
