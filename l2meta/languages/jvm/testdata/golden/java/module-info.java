/** The shop. */
@Deprecated
open module com.example.shop {
    requires transitive java.sql;
    requires static lombok;
    exports com.example.shop.api;
    exports com.example.shop.spi to com.example.web;
    opens com.example.shop.model;
    uses com.example.spi.Codec;
    uses Local;
    provides com.example.spi.Codec with com.example.shop.JsonCodec, com.example.shop.XmlCodec;
}
