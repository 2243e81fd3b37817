/* Undefines the operators of message_table.h, so that it can be included again with others. No include guard. */
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef SEQUENCE
#undef NESTED
#undef NESTED_ARRAY
#undef NESTED_SEQUENCE
#undef CONSTANT
#undef END
